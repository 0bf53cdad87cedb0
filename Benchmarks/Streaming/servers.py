"""Private servers for a run, in a separate folder, on free ports of this machine."""

import os
import pwd
import shutil
import socket
import subprocess
import time


class Missing(Exception):
    """A required program is missing."""


def program(name, package):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin")
    if not path:
        raise Missing(f"The program {name} is missing. Install the package {package}.")
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise Missing(f"Nothing listens on port {port} after {seconds} s.")


class Server:
    """A server process that can be stopped, and started again on the same port."""

    def __init__(self, command, port):
        self.command, self.port, self.process = command, port, None

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_for_port(self.port)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def icecast(folder, sources=5, name="icecast"):
    port = free_port()
    path = os.path.join(folder, name)
    os.makedirs(path)
    owner = ""
    if os.geteuid() == 0:
        # icecast2 does not run as root.
        nobody = pwd.getpwnam("nobody")
        os.chmod(folder, 0o755)
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
        owner = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>"
    with open(os.path.join(path, "icecast.xml"), "w", encoding="utf-8") as file:
        file.write(f"""<icecast>
  <limits><clients>{sources + 20}</clients><sources>{sources}</sources><burst-on-connect>0</burst-on-connect>
  <burst-size>0</burst-size></limits>
  <authentication><source-password>secret</source-password><admin-user>admin</admin-user>
  <admin-password>secret</admin-password></authentication>
  <hostname>localhost</hostname>
  <listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <paths><basedir>{path}</basedir><logdir>{path}</logdir><webroot>/usr/share/icecast2/web</webroot>
  <adminroot>/usr/share/icecast2/admin</adminroot></paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
""")
    return Server([program("icecast2", "icecast2"), "-c", os.path.join(path, "icecast.xml")], port)


def nginx(folder):
    port = free_port()
    path = os.path.join(folder, "nginx")
    os.makedirs(path)
    module = "/usr/lib/nginx/modules/ngx_rtmp_module.so"
    if not os.path.exists(module):
        raise Missing(f"{module} is missing. Install the package libnginx-mod-rtmp.")
    with open(os.path.join(path, "nginx.conf"), "w", encoding="utf-8") as file:
        file.write(f"""load_module {module};
daemon off; master_process off; pid {path}/pid; error_log {path}/error.log;
events {{ worker_connections 64; }}
rtmp {{ server {{ listen 127.0.0.1:{port}; application live {{ live on; }} }} }}
""")
    return Server([program("nginx", "nginx"), "-p", path, "-c", os.path.join(path, "nginx.conf")],
                  port)


class Pulse:
    """A PulseAudio server with null sinks as headphones and loudspeaker, whose monitor is the microphone."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "pulse")
        os.makedirs(self.folder, mode=0o700)
        self.environment = dict(
            os.environ, PULSE_SERVER=f"unix:{self.folder}/socket", XDG_RUNTIME_DIR=self.folder,
            HOME=self.folder, LC_ALL="C")
        self.processes = []

    def start(self, wav):
        sink = "module-null-sink norewinds=1 rate=48000 channels=2 format=s16le sink_name="
        self._run([program("pulseaudio", "pulseaudio"), "-n", "--daemonize=no",
                   "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
                   "-L", f"module-native-protocol-unix socket={self.folder}/socket"
                         " auth-anonymous=1",
                   "-L", sink + "room", "-L", sink + "headphones"])
        end = time.monotonic() + 20
        while not os.path.exists(f"{self.folder}/socket"):
            if time.monotonic() > end:
                raise Missing("PulseAudio does not start.")
            time.sleep(0.05)
        player = program("paplay", "pulseaudio-utils")
        self._run(["/bin/sh", "-c", f"while {player} --device=room {wav}; do :; done"])

    def _run(self, command):
        self.processes.append(subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True))

    def stop(self):
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()
