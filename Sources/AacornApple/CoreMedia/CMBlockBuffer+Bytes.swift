#if canImport(CoreMedia)
package import CoreMedia

extension CMBlockBuffer {
  /// Creates a buffer with a copy of `bytes`, which must not be empty.
  package static func containing(_ bytes: [UInt8]) throws(CodedBufferError) -> CMBlockBuffer {
    var block: CMBlockBuffer?
    var status = unsafe CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: bytes.count, blockAllocator: nil,
      customBlockSource: nil, offsetToData: 0, dataLength: bytes.count,
      flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
    guard status == 0, let block else { throw .system(status) }
    status = unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return 0 }
      return unsafe CMBlockBufferReplaceDataBytes(
        with: start, blockBuffer: block, offsetIntoDestination: 0, dataLength: source.count)
    }
    guard status == 0 else { throw .system(status) }
    return block
  }
}
#endif
