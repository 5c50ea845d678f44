/**
 * A format that traffic is read from or written in: one file each, one line in the catalogue. Pure: bytes and text in,
 * text out; who holds the file feeds it piece by piece, so that no file is too large.
 */
import type { Exchange } from '../exchange.ts'
import type { HeaderLine, HttpLine } from '../recording/format.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'

/** Something in a foreign file, beside what was wrong: where it stands there. */
export interface FormatProblem {
  /** `entry 17`, `line 4, column 12`, `byte 81920`. */
  readonly where: string
  readonly message: string
  /** Nothing behind it could be read. */
  readonly fatal?: boolean
}

/** What an importer makes of one exchange: our own shape, and what the foreign one said besides. */
export interface Imported {
  readonly exchange: Omit<Exchange, 'seq'>
  /** The foreign entry as it stood, where the format is HAR: kept member by member. */
  readonly har?: Readonly<Record<string, unknown>>
  /** The same as text on one line, every token as it was spelled. */
  readonly text?: string
  /** Lines of a recording of ours that stood before it and are no exchange: marks, snapshots. */
  readonly before?: readonly unknown[]
  /** The `_rec` that it carries when it came out of a recording of ours: kept as it is. */
  readonly rec?: HttpLine['_rec']
  /** What had to be assumed: `no response`, `clock inferred`. Never words of the file: nobody redacts these. */
  readonly warn?: readonly string[]
}

/** What a file says of itself before its first exchange. */
export interface Begun {
  readonly creator?: { readonly name: string; readonly version?: string }
  /** Members of an archive's log before its entries, and of the document beside its log. */
  readonly har?: Readonly<Record<string, unknown>>
  readonly harBeside?: Readonly<Record<string, unknown>>
  /** The header of the recording of ours that the file was made of. */
  readonly header?: HeaderLine
}

export interface Importer {
  /** Asked when the first exchange is there, or behind the end when there is none. */
  readonly begun?: () => Begun
  readonly feed: (bytes: Uint8Array) => readonly Imported[]
  readonly finish: () => {
    readonly last: readonly Imported[]
    readonly problems: readonly FormatProblem[]
    /** Of the file itself, where it stands behind the exchanges: what made it, and members to be kept. */
    readonly creator?: { readonly name: string; readonly version?: string }
    readonly har?: Readonly<Record<string, unknown>>
    readonly harBeside?: Readonly<Record<string, unknown>>
    /** Lines behind the last exchange of a recording of ours that the file was made of; its end is one of them. */
    readonly lines?: readonly unknown[]
  }
}

/**
 * Undoes a content coding (`gzip`, `deflate`, `br`, `zstd`), bounded by whoever lends it; undefined when the bytes are
 * not what the coding says. Lent by the edge, since nothing here can inflate.
 */
export type Decode = (coding: string, bytes: Uint8Array) => Uint8Array | undefined

export interface ImportOptions {
  /** When it was read, for what bears no time: milliseconds since 1970. */
  readonly now: number
  /** A mapping or other side file, already read: what it holds. */
  readonly mapping?: unknown
  /** Without it, compressed bodies are left out, and the exchange says so. */
  readonly decode?: Decode
}

export interface ExportOptions {
  /** Without our private fields. */
  readonly plain?: boolean
  readonly name: string
  /** Where the requests are to go instead of where they went. */
  readonly base?: string
}

/** A line that is no exchange (a mark, a snapshot, the end), and how many exchanges stand before it. */
export interface PlacedLine {
  readonly after: number
  readonly line: Readonly<Record<string, unknown>>
}

export interface Exporter {
  /** Text before the first exchange, for each exchange, and after the last. */
  readonly begin: (header: HeaderLine, others: readonly PlacedLine[]) => string
  /** `text` is the line as it stands in the file. */
  readonly exchange: (exchange: RecordedExchange, line: HttpLine, text: string) => string
  readonly end: () => string
}

export interface Format {
  /** As `--format` takes it. */
  readonly name: string
  readonly summary: string
  /** Usual endings of file names, with the dot. */
  readonly endings: readonly string[]
  /** How sure this is the format of a file that begins like this, from 0 to 1; none when it cannot be read. */
  readonly recognises?: (beginning: Uint8Array, file: string) => number
  readonly importer?: (options: ImportOptions) => Importer
  readonly exporter?: (options: ExportOptions) => Exporter
  /** So many exchanges can be written at most, where all of them have to be seen at once. */
  readonly most?: number
}

export const defineFormat = (format: Format): Format => format
