/**
 * Writes a part of a recording as a recording: lines unchanged, except for bodies that were reduced or inlined from blob
 * files. Streams line by line, so recordings of any size can be cut.
 */
import { compact } from '../../../core/base/compact.ts'
import { createHash } from 'node:crypto'
import { formatEndLine, formatLine } from '../../../core/traffic/recording/recording-lines.ts'
import {
  exchangeFromLine,
  type RecordedExchange,
} from '../../../core/traffic/recording/recorded-exchange.ts'
import type { ExchangeRequest } from '../../../core/traffic/exchange.ts'
import type { HeaderLine, HttpLine } from '../../../core/traffic/recording/format.ts'
import type { RecordedWire } from '../../../core/traffic/recording/recorded-body.ts'
import { saltFromId } from '../../../core/traffic/recording/line-ids.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { noHeaderProblem, readRecordingLines } from './recording-lines.ts'
import { openTextOutput, outputModeFor, type TextOutput } from './text-output.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'

export interface RecordingPartOptions {
  /** The source recording. */
  readonly path: string
  readonly header: (header: HeaderLine) => HeaderLine
  /** The exchange to write; undefined leaves it out. */
  readonly pick: (line: HttpLine, header: HeaderLine) => RecordedExchange | undefined
  /** Output file; stdout if undefined. */
  readonly file: string | undefined
  readonly force: boolean
  readonly onProblem?: (where: string, message: string) => void
  /** Checked before each line. */
  readonly isStopped?: () => boolean
}

type BodyPlace = readonly ['request', 'postData'] | readonly ['response', 'content']
type Message = Pick<ExchangeRequest, 'body' | 'wire'>

/** Replaces the text of one body of an entry. */
function withBodyText(
  line: HttpLine,
  [message, body]: BodyPlace,
  text: string,
  encoding?: 'base64',
): HttpLine {
  const messageMembers = isUnknownRecord(line[message]) ? line[message] : {}
  const before = isUnknownRecord(messageMembers[body]) ? messageMembers[body] : {}
  const { encoding: _encoding, ...otherMembers } = before
  const nextBody = { ...otherMembers, text, ...compact({ encoding }) }
  return { ...line, [message]: { ...messageMembers, [body]: nextBody } }
}

function withBody(
  line: HttpLine,
  place: BodyPlace,
  original: Message | undefined,
  updated: Message | undefined,
): HttpLine {
  if (updated?.body !== undefined && updated.body !== original?.body)
    return withBodyText(line, place, updated.body)
  const bytes = updated?.wire?.base64
  if (bytes === undefined || bytes === original?.wire?.base64) return line
  return withBodyText(line, place, bytes, 'base64')
}

/** Puts reduced bodies, and those from blob files, into the line. */
export function withBodies(line: HttpLine, { request, reply }: RecordedExchange): HttpLine {
  const original = exchangeFromLine(line, 0)
  const next = withBody(
    withBody(line, ['request', 'postData'], original.request, request),
    ['response', 'content'],
    original.reply,
    reply,
  )
  if (next === line) return line
  // The recorded wire bytes no longer match the body; trailers do not depend on it.
  const { wire, ...rec } = next._rec
  const kept = compact({ q: trailersOf(wire?.q), p: trailersOf(wire?.p) })
  return { ...next, _rec: Object.keys(kept).length > 0 ? { ...rec, wire: kept } : rec }
}

/** Without the fault that the exchange has no more. */
function withFault(line: HttpLine, { fault }: RecordedExchange): HttpLine {
  if (fault !== undefined || line._rec.fault === undefined) return line
  const { fault: _fault, ...rec } = line._rec
  return { ...line, _rec: rec }
}

const trailersOf = (wire: RecordedWire | undefined): RecordedWire | undefined =>
  wire?.trailers && { trailers: wire.trailers }

/** Returns the number of exchanges written; undefined when stopped. An incomplete file is removed. */
export async function writeRecordingPart(
  {
    path,
    header: headerOf,
    pick,
    file,
    force,
    onProblem = () => undefined,
    isStopped = () => false,
  }: RecordingPartOptions,
  io: Io,
): Promise<number | undefined> {
  const hash = createHash('sha256')
  let output: TextOutput | undefined
  const write = async (text: string): Promise<void> => {
    hash.update(text)
    await output?.write(text)
  }
  let header: HeaderLine | undefined
  let last: RecordedExchange | undefined
  let count = 0
  try {
    for await (const { text, read } of readRecordingLines(path, onProblem)) {
      if (isStopped()) {
        output?.abort()
        return undefined
      }
      if (read.kind === 'header') {
        header = read.line
        const mode = outputModeFor(header, file, io.cwd)
        output = await openTextOutput({ file, force, mode }, io)
        await write(formatLine(headerOf(header)))
      }
      if (read.kind !== 'exchange' || !header) continue
      const exchange = pick(read.line, header)
      if (!exchange) continue
      const line = withFault(withBodies(read.line, exchange), exchange)
      await write(line === read.line ? `${text}\n` : `${JSON.stringify(line)}\n`)
      last = exchange
      count++
    }
    if (!header || !output) throw noHeaderProblem(path)
    await output.write(
      formatEndLine({
        salt: saltFromId(header._rec.id),
        instant: last?.startedAt ?? Date.parse(header._rec.t0),
        seq: last?.seq ?? 0,
        http: count,
        dropped: 0,
        sha256: hash.digest('hex'),
      }),
    )
    await output.close()
    return count
  } catch (error) {
    output?.abort()
    throw error
  }
}
