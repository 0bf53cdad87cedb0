/**
 * The rows of a frame table as columns of numbers. A million rows take about 40 MB in this form; as objects
 * they would take several hundred.
 */

/** The value for an unknown number. */
const unknown = -0x80000000

const columnTypes = {
  offset: Float64Array, time: Float64Array, bytes: Uint32Array, block: Uint8Array,
  variant: Uint8Array, usedBits: Int32Array, reservoirBits: Int32Array, faults: Uint16Array
}

const stride = 64

/** Converts rows to batches of columns that a worker can transfer without copying. */
export class RowPacker {
  #blocks = new Dictionary()
  #variants = new Dictionary()

  pack(rows) {
    const columns = {}
    for (const [name, Type] of Object.entries(columnTypes)) columns[name] = new Type(rows.length)
    rows.forEach((row, index) => {
      columns.offset[index] = row.offset
      columns.time[index] = row.time
      columns.bytes[index] = row.bytes
      columns.block[index] = this.#blocks.indexOf(row.block)
      columns.variant[index] = this.#variants.indexOf(
        `${row.profile}\n${row.sampleRate}\n${row.channels}`)
      columns.usedBits[index] = row.usedBits ?? unknown
      columns.reservoirBits[index] = row.reservoirBits ?? unknown
      columns.faults[index] = Math.min(row.faults, 0xffff)
    })
    return {
      count: rows.length, columns,
      blocks: [...this.#blocks.words], variants: [...this.#variants.words]
    }
  }

  static transferables(batch) {
    return Object.values(batch.columns).map(column => column.buffer)
  }
}

/** Words and their numbers; the last number is shared by all words beyond the limit. */
class Dictionary {
  words = []
  #numbers = new Map()

  indexOf(word) {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    if (this.words.length === 255) return 254
    this.#numbers.set(word, this.words.length)
    return this.words.push(word) - 1
  }
}

/** All rows of a file, in order; row `i` is frame `i`. */
export class RowStore {
  length = 0
  /** The numbers of the rows with faults. */
  faulty = []
  /** The sum of the bytes before every `stride`-th frame, for fast sums over ranges. */
  #sums = [0]
  #capacity = 0
  #columns = {}
  #blocks = []
  #variants = []

  append(batch) {
    const length = this.length + batch.count
    if (length > this.#capacity) this.#grow(Math.max(length, this.#capacity * 2, 4096))
    for (const name of Object.keys(columnTypes)) {
      this.#columns[name].set(batch.columns[name], this.length)
    }
    const faults = batch.columns.faults
    for (let index = 0; index < batch.count; index += 1) {
      if (faults[index] > 0) this.faulty.push(this.length + index)
    }
    this.#blocks = batch.blocks
    this.#variants = batch.variants
    this.length = length
    while (this.#sums.length * stride <= length) {
      const first = (this.#sums.length - 1) * stride
      this.#sums.push(this.#sums.at(-1) + this.#sumOf(first, first + stride))
    }
  }

  /** Removes the notes from the faults of the rows: they concern the file, and the frames are intact. */
  removeNotes(faults) {
    for (const { severity, frame } of faults) {
      if (severity === 'note' && this.#columns.faults?.[frame] > 0) this.#columns.faults[frame] -= 1
    }
    this.faulty = this.faulty.filter(index => this.faults(index) > 0)
  }

  /** Returns the bytes of the frames from `first` up to, but not including, `end`. */
  byteSum(first, end) { return this.#sumBefore(end) - this.#sumBefore(first) }

  #sumBefore(end) {
    const step = Math.min(Math.floor(end / stride), this.#sums.length - 1)
    return this.#sums[step] + this.#sumOf(step * stride, end)
  }

  #sumOf(first, end) {
    const bytes = this.#columns.bytes
    let sum = 0
    for (let index = first; index < end; index += 1) sum += bytes[index]
    return sum
  }

  bytes(index) { return this.#columns.bytes[index] }
  time(index) { return this.#columns.time[index] }
  offset(index) { return this.#columns.offset[index] }
  block(index) { return this.#blocks[this.#columns.block[index]] }
  faults(index) { return this.#columns.faults[index] }

  row(index) {
    const columns = this.#columns
    const known = value => (value === unknown ? null : value)
    const [profile, sampleRate, channels] =
      (this.#variants[columns.variant[index]] ?? '\n0\n0').split('\n')
    return {
      number: index, offset: columns.offset[index], time: columns.time[index],
      bytes: columns.bytes[index], block: this.block(index), profile,
      sampleRate: Number(sampleRate), channels: Number(channels),
      usedBits: known(columns.usedBits[index]),
      reservoirBits: known(columns.reservoirBits[index]), faults: columns.faults[index]
    }
  }

  /** Returns the last row that begins at or before a time. */
  indexAt(seconds) {
    return Math.max(0, firstIndex(this.length, index => this.time(index) <= seconds) - 1)
  }

  #grow(capacity) {
    for (const [name, Type] of Object.entries(columnTypes)) {
      const column = new Type(capacity)
      if (this.#columns[name]) column.set(this.#columns[name].subarray(0, this.length))
      this.#columns[name] = column
    }
    this.#capacity = capacity
  }
}

/** Returns the first index, up to `length`, that is not before a place; the indexes are in order. */
export function firstIndex(length, isBefore) {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
