"""A radio server, and a listener."""

import http.client
import os
import shutil
import tempfile
import threading
import time
from xml.sax.saxutils import escape

from inside import Program, wait_until


class Icecast:
    """An Icecast server of this machine, in the trial's network."""

    password = "of a trial"
    port = 8000

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="icecast-")
        # The server drops root privileges, but must still read this folder and write its logs.
        os.chmod(self.folder, 0o755)
        os.mkdir(f"{self.folder}/logs")
        os.chmod(f"{self.folder}/logs", 0o777)
        share, password = "/usr/share/icecast2", escape(self.password)
        with open(f"{self.folder}/icecast.xml", "w", encoding="utf-8") as file:
            file.write(f"""<icecast>
  <location>A trial</location><admin>nobody@localhost</admin><hostname>localhost</hostname>
  <limits><clients>10</clients><sources>2</sources></limits>
  <authentication>
    <source-password>{password}</source-password><relay-password>relay</relay-password>
    <admin-user>admin</admin-user><admin-password>admin</admin-password>
  </authentication>
  <listen-socket><port>{self.port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <fileserve>0</fileserve>
  <paths>
    <basedir>{share}</basedir><webroot>{share}/web</webroot><adminroot>{share}/admin</adminroot>
    <logdir>{self.folder}/logs</logdir>
  </paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog></logging>
  <security><chroot>0</chroot>
    <changeowner><user>nobody</user><group>nogroup</group></changeowner></security>
</icecast>
""")
        self.server = Program(
            [shutil.which("icecast2"), "-c", f"{self.folder}/icecast.xml"], f"{self.folder}/output", {}
        )
        wait_until("Icecast answers", self.answers, self.server)
        return self

    def answers(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            connection.request("GET", "/status-json.xsl")
            return b"server_start" in connection.getresponse().read()
        except OSError:
            return False

    def __exit__(self, *_):
        self.server.process.kill()
        self.server.process.wait()
        shutil.rmtree(self.folder)


class Listener:
    """A listener of a mount that stores the received data."""

    def __init__(self, port, mount):
        self.data = b""
        self.port, self.mount = port, mount
        threading.Thread(target=self.listen, daemon=True).start()

    def has_received(self, count):
        return len(self.data) >= count

    def listen(self):
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
                connection.request("GET", self.mount)
                answer = connection.getresponse()
                # The server registers a mount a moment after it has accepted the source.
                if answer.status == 404:
                    time.sleep(0.05)
                    continue
                while data := answer.read1(4096):
                    self.data += data
                return
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)

    def whole_frames(self):
        """Returns the ADTS frames, from the first to the last complete frame (ISO/IEC 14496-3, 1.A.2.2)."""
        data = bytes(self.data)
        start = data.find(b"\xff\xf1")
        end = start
        while end + 7 <= len(data):
            length = (data[end + 3] & 3) << 11 | data[end + 4] << 3 | data[end + 5] >> 5
            if end + length > len(data):
                break
            end += length
        return data[start:end]
