/**
 * A foreign file as the lines of a recording, in the order in which they are written: a header when the first exchange
 * is there, one line for each, and an end that counts them. Pure: who holds the file writes what comes out.
 */
import { isoOf } from '../../engine/instant.ts'
import { isMembers, type Members } from '../har-message.ts'
import { endLine, headerOf, lineOf, type RecordingInfo } from '../recording/recording.ts'
import type { HeaderLine, HttpLine } from '../recording/format.ts'
import { saltIn } from '../recording/id.ts'
import type { RollingHash } from '../recording/reader.ts'
import { redactEntry, redactLog } from '../redaction/har-entry.ts'
import type { Redaction, Redactor } from '../redaction/redactor.ts'
import { instantIn } from '../date-time.ts'
import type { Casting } from './casting.ts'
import type { Begun, FormatProblem, Imported, Importer } from './format.ts'
import { createImportedLine, type DecodeBody, type ImportedLine } from './imported-line.ts'

type HeaderRec = HeaderLine['_rec']

export interface ImportLinesOptions {
  readonly importer: Importer
  /** The name of the format. */
  readonly format: string
  readonly info: Omit<RecordingInfo, 'parties'>
  readonly source: NonNullable<HeaderRec['source']>
  /** From `saltOf`. */
  readonly salt: string
  /** When it is imported, in milliseconds since 1970. */
  readonly now: number
  readonly casting: Casting
  readonly hosts: readonly {
    readonly base: string
    readonly role: HeaderRec['parties'][number]['role']
  }[]
  readonly redactor?: Redactor | undefined
  readonly decode?: DecodeBody | undefined
  /** Over everything that comes out of here. */
  readonly hash: RollingHash
}

export interface ImportSummary {
  readonly exchanges: number
  /** By class, so many places. */
  readonly redacted: Readonly<Record<string, number>>
  readonly operations: Readonly<Record<string, number>>
  readonly problems: readonly FormatProblem[]
  /** Remarks of entries, with how many said so. */
  readonly remarks: Readonly<Record<string, number>>
  readonly creator?: Begun['creator']
  /** It was made of a recording of ours. */
  readonly isOurs: boolean
  readonly from?: number
  readonly to?: number
}

export interface ImportLines {
  /** Whole lines, for these bytes. */
  readonly feed: (bytes: Uint8Array) => string
  /** What is left, and the end; `sha256` of the source where its header could not say it. */
  readonly finish: (sha256?: string) => string
  readonly summary: () => ImportSummary
}

const mostKinds = 200

function count(counts: Map<string, number>, key: string): void {
  if (counts.has(key) || counts.size < mostKinds) counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** A line of ours as an object: its first member comes first. */
const inOrder = ({ _rec: rec, ...rest }: Members): { readonly _rec: object } => ({
  _rec: isMembers(rec) ? rec : {},
  ...rest,
})

export function createImportLines(options: ImportLinesOptions): ImportLines {
  const { importer, format, casting, redactor, hash, info } = options
  const redacted = new Map<string, number>()
  const operations = new Map<string, number>()
  const remarks = new Map<string, number>()
  let problems: readonly FormatProblem[] = []
  let header: HeaderLine | undefined
  let isOurs = false
  let creator: Begun['creator']
  let lineFor: ((imported: Imported, seq: number) => ImportedLine) | undefined
  let exchanges = 0
  let seq = 0
  let first: number | undefined
  let last: number | undefined

  function out(text: string): string {
    hash.update(text)
    return text
  }

  function cleanMembers(members: Members): Members {
    if (!redactor) return members
    const { value, red } = redactLog(members, redactor)
    tell(red)
    return value
  }

  function tell(red: readonly Redaction[]): void {
    for (const { c } of red) count(redacted, c)
  }

  /** The header of a recording of ours stays, but for what must not be in it. */
  function ownHeader(known: HeaderLine): HeaderLine {
    const { redaction } = known._rec
    const mode = redactor && redaction.mode === 'none' ? info.redaction : redaction
    // A member that is said again keeps its place: a header that needs no change comes out as it was.
    const next = { ...known._rec, redaction: mode, ...cleanArchive(known._rec) }
    return inOrder({ ...known, _rec: next }) as unknown as HeaderLine
  }

  /** What stands around the entries of a foreign archive, where a line has it. */
  function cleanArchive({ har, harBeside }: Members): Members {
    return {
      ...(isMembers(har) ? { har: cleanMembers(har) } : {}),
      ...(isMembers(harBeside) ? { harBeside: cleanMembers(harBeside) } : {}),
    }
  }

  function newHeader(begun: Begun, t0: number): HeaderLine {
    const subject = casting.subject()
    const parties = [
      ...(subject ? [{ party: 'subject', role: subject }] : []),
      ...options.hosts
        .filter(({ role }) => role !== subject)
        .map(({ base, role }) => ({ party: 'partner', role, base })),
    ]
    const base = headerOf({ info: { ...info, parties }, t0, salt: options.salt })
    const source = { ...options.source, ...(begun.creator ? { creator: begun.creator } : {}) }
    return {
      _rec: {
        ...base._rec,
        created: isoOf(Math.floor(options.now)),
        source,
        ...cleanArchive({ ...begun }),
      },
    }
  }

  /** When the recording begins: its times are counted from there, in whole milliseconds. */
  function beginningOf(imported: Imported | undefined): number {
    if (!imported) return Math.floor(options.now)
    const offset = imported.rec ? imported.rec.t.q0 / 1000 : 0
    return Math.floor(imported.exchange.startedAt - offset)
  }

  function begin(imported: Imported | undefined): string {
    const begun = importer.begun?.() ?? {}
    creator = begun.creator
    isOurs = begun.header !== undefined
    if (imported && !imported.rec) casting.begin(imported.exchange.request)
    header = begun.header ? ownHeader(begun.header) : newHeader(begun, beginningOf(imported))
    const t0 = instantIn(header._rec.t0) ?? 0
    const { decode } = options
    lineFor = createImportedLine({ header, t0, format, casting, redactor, decode })
    return out(lineOf(header))
  }

  /** Marks, snapshots and requests under way: kept, redacted like everything else. */
  function other(line: unknown): string {
    if (!isMembers(line) || !isMembers(line['_rec'])) return ''
    const { _rec: rec } = line
    seq = Math.max(seq, typeof rec['seq'] === 'number' ? rec['seq'] : 0)
    if (rec['type'] === 'end') return end(line)
    if (!redactor) return out(lineOf(inOrder(line)))
    const { value, red } = redactEntry(line, redactor, options.decode)
    tell(red)
    return out(lineOf(inOrder(value)))
  }

  /** An end of ours counts and hashes anew: what it says of the lines before it must be so. */
  function end(line: Members): string {
    const rec = isMembers(line['_rec']) ? line['_rec'] : {}
    const counts = isMembers(rec['counts']) ? rec['counts'] : {}
    const next = {
      ...rec,
      counts: { ...counts, http: exchanges },
      sha256: hash.current(),
      ...cleanArchive(rec),
    }
    return out(lineOf(inOrder({ ...line, _rec: next })))
  }

  function exchange(imported: Imported): string {
    let text = header ? '' : begin(imported)
    for (const line of imported.before ?? []) text += other(line)
    const own = imported.rec?.seq
    seq = own ?? seq + 1
    const line = lineFor?.(imported, seq)
    if (!line) return text
    exchanges++
    const { startedAt } = imported.exchange
    first = Math.min(first ?? startedAt, startedAt)
    last = Math.max(last ?? startedAt, startedAt)
    tell(line.red)
    for (const remark of imported.warn ?? []) count(remarks, remark)
    count(operations, line.operation ?? imported.exchange.operation ?? 'unknown')
    return text + out(`${line.text}\n`)
  }

  function finish(sha256?: string): string {
    const result = importer.finish()
    problems = result.problems
    let text = result.last.map(exchange).join('')
    const hasNothing = exchanges === 0 && importer.begun?.().header === undefined
    // A file that held nothing, and broke, makes no recording.
    if (!header && !(hasNothing && problems.some(({ fatal }) => fatal))) text += begin(undefined)
    creator ??= result.creator
    if (!header) return text
    if (result.lines) return text + result.lines.map(other).join('')
    const { har, harBeside } = result
    const ended = JSON.parse(
      endLine({
        salt: saltIn(header._rec.id),
        instant: last ?? options.now,
        seq,
        http: exchanges,
        dropped: 0,
        sha256: hash.current(),
      }),
    ) as { readonly _rec: HttpLine['_rec'] }
    const source = sha256 === undefined ? {} : { source: { sha256 } }
    return (
      text +
      out(
        lineOf({
          _rec: {
            ...ended._rec,
            ...source,
            ...cleanArchive({ har, harBeside }),
          },
        }),
      )
    )
  }

  return {
    feed: (bytes) => importer.feed(bytes).map(exchange).join(''),
    finish,
    summary: () => ({
      exchanges,
      redacted: Object.fromEntries(redacted),
      operations: Object.fromEntries(operations),
      problems,
      remarks: Object.fromEntries(remarks),
      isOurs,
      ...(creator ? { creator } : {}),
      ...(first === undefined || last === undefined ? {} : { from: first, to: last }),
    }),
  }
}
