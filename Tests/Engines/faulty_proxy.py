"""A faulty S3 server: forwards requests, and breaks some of them.

    faulty_proxy.py PORT UPSTREAM-PORT SECONDS
        Prints the port that it listens on. SECONDS is the delay of slow responses.

The number of a request alone decides on its fault. A summary is printed at SIGTERM.
"""

import http.client
import json
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The period and the remainder of the affected request numbers; the periods have no common factor.
FAULTS = {"error": (5, 2), "cut": (7, 3), "slow": (23, 11), "cut upload": (11, 6)}


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        fault = self.server.next_fault(self.command)
        if fault == "cut upload":
            # The received part of the body is lost with the connection.
            self.rfile.read(min(1000, int(self.headers.get("Content-Length") or 0)))
            self.close_connection = True
            return
        body = self.body()
        if fault == "error":
            text = b"<Error><Code>InternalError</Code><Message>We are not well.</Message></Error>"
            self.reply(500, {"Content-Type": "application/xml"}, text)
            return
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
        headers = {
            name: value
            for name, value in self.headers.items()
            if name.lower() not in ("connection", "expect", "transfer-encoding", "content-length")
        }
        if body or self.command in ("PUT", "POST"):
            headers["Content-Length"] = str(len(body))
        upstream.request(self.command, self.path, body=body, headers=headers)
        response = upstream.getresponse()
        data = response.read()
        kept = [
            (name, value)
            for name, value in response.getheaders()
            if name.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server")
        ]
        length = response.getheader("Content-Length") if self.command == "HEAD" else None
        upstream.close()
        if fault == "slow":
            time.sleep(self.server.delay)
            self.close_connection = True
            return
        self.reply(response.status, kept, data, cut=fault == "cut", length=length)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = answer

    def body(self):
        """Returns the body of a request, also with chunked transfer encoding."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return data

    def reply(self, status, headers, data, cut=False, length=None):
        """Sends a response, or half of it."""
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", length or str(len(data)))
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(data[: len(data) // 2] if cut else data)
        if cut:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, upstream, delay):
        super().__init__(("127.0.0.1", port), Proxy)
        self.upstream, self.delay = upstream, delay
        self.lock, self.count, self.done = threading.Lock(), 0, dict.fromkeys(FAULTS, 0)

    def next_fault(self, method):
        """Returns the fault of the next request."""
        with self.lock:
            self.count += 1
            for fault, (period, phase) in FAULTS.items():
                if self.count % period != phase:
                    continue
                methods = {"cut": ("GET",), "cut upload": ("PUT", "POST")}.get(fault)
                if methods and method not in methods:
                    continue
                self.done[fault] += 1
                return fault
        return None

    def handle_error(self, request, address):
        pass


def main():
    port, upstream, delay = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    server = Server(port, upstream, delay)

    def end(*_):
        print(json.dumps({"requests": server.count, **server.done}), flush=True)
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
