"""The network of the namespace in which the check runs; nobody else listens there."""

import fcntl
import socket
import struct

# Of the kernel's interface for devices: set flags, and set an address.
SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 1


def prepare_network():
    """Gives the machine a name that is known everywhere, and starts the only network, which is its own."""
    socket.sethostname("localhost")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
        # Who asks for an address that is not the usual local one, as Slurm does, finds this.
        address = struct.pack("16sHH4s16x", b"lo:1", socket.AF_INET, 0, socket.inet_aton("127.0.0.2"))
        fcntl.ioctl(any_socket, SIOCSIFADDR, address)
