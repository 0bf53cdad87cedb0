"""The network of the check's namespace, which has no other servers."""

import fcntl
import socket
import struct

# Constants of the kernel's interface for devices: set flags, and set an address.
SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 1


def prepare_network():
    """Gives the machine a resolvable name, and starts its loopback interface."""
    socket.sethostname("localhost")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
        # Programs that need an address other than 127.0.0.1, such as Slurm, find this one.
        address = struct.pack("16sHH4s16x", b"lo:1", socket.AF_INET, 0, socket.inet_aton("127.0.0.2"))
        fcntl.ioctl(any_socket, SIOCSIFADDR, address)
