#if canImport(Network)
/// The transport of this system: Apple's Network framework.
public typealias SystemTransport = NetworkTransport
#else
/// The transport of this system: libcurl.
public typealias SystemTransport = CurlTransport
#endif
