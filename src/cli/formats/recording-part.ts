/**
 * A part of a recording, written as a recording: its lines as they were, with such bodies in them as were made smaller,
 * or lay beside them. It goes from line to line, so that no recording is too large to be cut.
 */
import { createHash } from 'node:crypto'
import { endLine, lineOf } from '../../traffic/recording/recording.ts'
import { isMembers } from '../../traffic/har-message.ts'
import { exchangeOf, type RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { ExchangeRequest } from '../../traffic/exchange.ts'
import type { HeaderLine, HttpLine } from '../../traffic/recording/format.ts'
import { saltIn } from '../../traffic/recording/id.ts'
import type { Io } from '../io.ts'
import { recordingLines } from './recording-lines.ts'
import { checkRaw, openTextOutput } from './text-output.ts'

export interface PartOptions {
  /** The recording that it is a part of. */
  readonly path: string
  readonly header: (header: HeaderLine) => HeaderLine
  /** The exchange as it is to be; undefined leaves it out. */
  readonly pick: (line: HttpLine, header: HeaderLine) => RecordedExchange | undefined
  /** Where it is written; stdout when absent. */
  readonly file: string | undefined
  readonly force: boolean
  readonly onProblem?: (where: string, message: string) => void
  /** Asked before each line. */
  readonly isStopped?: () => boolean
}

type BodyPlace = readonly ['request', 'postData'] | readonly ['response', 'content']
type Message = Pick<ExchangeRequest, 'body' | 'wire'>

/** An entry with another text in one of its bodies. */
function withText(
  line: HttpLine,
  [message, body]: BodyPlace,
  text: string,
  encoding?: 'base64',
): HttpLine {
  const whole = isMembers(line[message]) ? line[message] : {}
  const before = isMembers(whole[body]) ? whole[body] : {}
  const { encoding: _encoding, ...kept } = before
  const now = { ...kept, text, ...(encoding === undefined ? {} : { encoding }) }
  return { ...line, [message]: { ...whole, [body]: now } }
}

function withBody(
  line: HttpLine,
  place: BodyPlace,
  was: Message | undefined,
  is: Message | undefined,
): HttpLine {
  if (is?.body !== undefined && is.body !== was?.body) return withText(line, place, is.body)
  const bytes = is?.wire?.base64
  if (bytes === undefined || bytes === was?.wire?.base64) return line
  return withText(line, place, bytes, 'base64')
}

/** Its bodies as the part has them: smaller ones, and those that lie beside the recording that it comes from. */
export function withBodies(line: HttpLine, { request, reply }: RecordedExchange): HttpLine {
  const was = exchangeOf(line, 0)
  const next = withBody(
    withBody(line, ['request', 'postData'], was.request, request),
    ['response', 'content'],
    was.reply,
    reply,
  )
  if (next === line) return line
  // What the bytes were is not so any more.
  const { wire: _wire, ...rec } = next._rec
  return { ...next, _rec: rec }
}

/** Answers how many exchanges are in it; undefined when it was stopped. No half file stays of what was not written whole. */
export async function writePart(
  {
    path,
    header: headerOf,
    pick,
    file,
    force,
    onProblem = () => undefined,
    isStopped = () => false,
  }: PartOptions,
  io: Io,
): Promise<number | undefined> {
  const output = await openTextOutput(file, force, io)
  const hash = createHash('sha256')
  const write = (text: string): Promise<void> => {
    hash.update(text)
    return output.write(text)
  }
  let header: HeaderLine | undefined
  let last: RecordedExchange | undefined
  let count = 0
  try {
    for await (const { text, read } of recordingLines(path, onProblem)) {
      if (isStopped()) {
        await output.leave()
        return undefined
      }
      if (read.kind === 'header') {
        header = read.line
        checkRaw(header, file, io.cwd)
        await write(lineOf(headerOf(header)))
      }
      if (read.kind !== 'exchange' || !header) continue
      const exchange = pick(read.line, header)
      if (!exchange) continue
      const line = withBodies(read.line, exchange)
      await write(line === read.line ? `${text}\n` : `${JSON.stringify(line)}\n`)
      last = exchange
      count++
    }
    if (header)
      await output.write(
        endLine({
          salt: saltIn(header._rec.id),
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
    await output.leave()
    throw error
  }
}
