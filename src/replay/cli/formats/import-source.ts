/** Byte source of an import, with its beginning for format detection. */
import type { FormatProblem } from '../../formats/format.ts'
import type { BufferedStream } from './buffered-stream.ts'

export interface PlainSource extends BufferedStream {
  /** As named by the user. */
  readonly name: string
  /** Size in bytes; undefined for a pipe, and when it is packed. */
  readonly bytes?: number
  /** Hexadecimal, of the file as it is; undefined for a pipe, which can be read only once. */
  readonly sha256?: string
  /** Of a pipe, once it has been read. */
  readonly sha256OfPipe?: () => string
}

/** To be disposed of when it has been imported. */
export interface ImportSource extends PlainSource, Disposable {
  /** The name of what was packed, as far as it is known. */
  readonly plainName: string
  /** How it is packed: `gzip`. */
  readonly packing?: string
  /** A body that stands in a file of its own in the archive. */
  readonly attachment?: (name: string) => Uint8Array | undefined
  /** What could not be unpacked; complete when `pieces` has been read. */
  readonly problems: readonly FormatProblem[]
}
