/** Shapes and limits of the HAR scanner. */

/** A byte range with its file offset. */
export interface ByteSpan {
  readonly bytes: Uint8Array
  readonly at: number
}

export interface HarScanHandlers {
  /** A member of `log` other than `entries`, in file order. */
  readonly logMember: (name: string, value: ByteSpan) => void
  /** A member of the document other than `log`. */
  readonly documentMember: (name: string, value: ByteSpan) => void
  /** Called at the start of `log.entries`. */
  readonly entriesStart: () => void
  readonly entry: (value: ByteSpan) => void
  /** An entry or member was skipped: too large or nested too deep. */
  readonly skipped: (at: number, message: string, member?: string) => void
}

export interface HarScanError {
  readonly at: number
  readonly message: string
  /** The incomplete value at the break. */
  readonly inside?: ByteSpan
}

export interface HarScanner {
  readonly feed: (bytes: Uint8Array) => void
  /** Ends the input; returns the syntax error or truncation, if any. */
  readonly finish: () => HarScanError | undefined
}

export interface HarScanLimits {
  readonly maxBytes: number
  readonly maxDepth: number
}

export const defaultHarScanLimits: HarScanLimits = { maxBytes: 64 * 1024 * 1024, maxDepth: 200 }
