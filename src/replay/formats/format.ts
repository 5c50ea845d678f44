/**
 * Interface of a traffic format: a streaming importer, an exporter, or both. Pure: the caller owns the files and feeds
 * chunks of bytes, so files of any size can be read. One file per format, one line in the catalogue.
 */
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { HeaderLine, HttpLine } from '../../core/traffic/recording/format.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'

/** A parse error in an imported file, with its location. */
export interface FormatProblem {
  /** `entry 17`, `line 4, column 12`, `byte 81920`. */
  readonly where: string
  readonly message: string
  /** Nothing behind it was read. */
  readonly fatal?: boolean
}

/** One imported exchange, and what the source said besides. */
export interface ImportedExchange {
  readonly exchange: Omit<Exchange, 'seq'>
  /** The source entry, if the format is HAR; all of its members are kept. */
  readonly har?: Readonly<Record<string, unknown>>
  /** The source entry as JSON on one line, tokens unchanged. */
  readonly text?: string
  /** Non-exchange lines of a Sparring recording that precede it: marks, snapshots. */
  readonly before?: readonly unknown[]
  /** Its `_rec` if it comes from a Sparring recording; kept unchanged. */
  readonly rec?: HttpLine['_rec']
  /** Assumptions made: `no response`, `clock inferred`. Never file content, since warnings are not redacted. */
  readonly warn?: readonly string[]
}

/** File metadata that precedes the first exchange. */
export interface ImportPreamble {
  readonly creator?: { readonly name: string; readonly version?: string }
  /** HAR: members of `log` before `entries`; `harBeside`: members of the document beside `log`. */
  readonly har?: Readonly<Record<string, unknown>>
  readonly harBeside?: Readonly<Record<string, unknown>>
  /** Header of the Sparring recording that the file was exported from. */
  readonly header?: HeaderLine
}

export interface Importer {
  /** Called when the first exchange is available, or at the end if there is none. */
  readonly begun?: () => ImportPreamble
  readonly feed: (bytes: Uint8Array) => readonly ImportedExchange[]
  readonly finish: () => {
    readonly remaining: readonly ImportedExchange[]
    readonly problems: readonly FormatProblem[]
    /** File metadata that follows the exchanges. */
    readonly creator?: { readonly name: string; readonly version?: string }
    readonly har?: Readonly<Record<string, unknown>>
    readonly harBeside?: Readonly<Record<string, unknown>>
    /**
     * Lines behind the last exchange of the Sparring recording that the file was exported from, including its end line.
     */
    readonly lines?: readonly unknown[]
  }
}

/**
 * Removes a content coding (`gzip`, `deflate`, `br`, `zstd`); undefined when the bytes do not match the coding. Injected
 * by the caller, which also bounds the output size: this layer has no zlib.
 */
export type ContentDecoder = (coding: string, bytes: Uint8Array) => Uint8Array | undefined

export interface ImporterOptions {
  /** Time of the import in ms since 1970, for exchanges without a timestamp. */
  readonly now: number
  /** Parsed content of a mapping or other side file. */
  readonly mapping?: unknown
  /** If absent, compressed bodies are left out with a warning. */
  readonly decode?: ContentDecoder
  /** The content of a file beside the imported one; undefined when there is none. */
  readonly attachment?: (name: string) => Uint8Array | undefined
}

export interface ExporterOptions {
  /** Without `_rec` members. */
  readonly plain?: boolean
  readonly name: string
  /** Base URL that replaces the recorded origins. */
  readonly base?: string
  /** File name of the recording, beside which the output lies. */
  readonly recording?: string
  /** How a scenario is paced; by the recording when absent. */
  readonly pace?: { readonly timing: 'original' | 'asap'; readonly maxGapMs?: number | undefined }
  /** Called with the reason for each exchange that the output does not hold. */
  readonly onLeftOut?: (because: string) => void
}

/** A non-exchange line (mark, snapshot, end), and the number of exchanges before it. */
export interface InterleavedLine {
  readonly after: number
  readonly line: Readonly<Record<string, unknown>>
}

export interface Exporter {
  /** Called before the first exchange. */
  readonly begin: (header: HeaderLine, others: readonly InterleavedLine[]) => string
  /** Called for each exchange; `text` is its unparsed line. */
  readonly exchange: (exchange: RecordedExchange, line: HttpLine, text: string) => string
  readonly end: () => string
}

export interface Format {
  /** As `--format` takes it. */
  readonly name: string
  readonly summary: string
  /** With the dot. */
  readonly fileExtensions: readonly string[]
  /** Confidence, 0 to 1, that a file with this beginning has the format; absent without an importer. */
  readonly recognises?: (beginning: Uint8Array, file: string) => number
  readonly importer?: (options: ImporterOptions) => Importer
  readonly exporter?: (options: ExporterOptions) => Exporter
  /** Export limit of formats that hold all exchanges in memory. */
  readonly maxExchanges?: number
}

export const defineFormat = (format: Format): Format => format
