/** A part of a recording, written as a recording: its lines as they were, with the bodies that were made smaller. */
import { createHash } from 'node:crypto'
import { endLine, lineOf } from '../../traffic/recording.ts'
import { isMembers } from '../../traffic/har-message.ts'
import { exchangeOf, type RecordedExchange } from '../../traffic/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording-content.ts'
import type { HttpLine } from '../../traffic/recording-format.ts'
import type { Signature } from '../../traffic/replay/standing.ts'
import { saltIn } from '../../traffic/recording-id.ts'
import { openTextOutput } from '../formats/text-output.ts'
import { recordingLines } from '../formats/recording-lines.ts'
import type { Io } from '../io.ts'

export interface PartOptions {
  /** The recording that it is a part of. */
  readonly path: string
  readonly part: RecordingContent
  /** What it was cut down to: its header says so. */
  readonly failure: Signature
  readonly file: string
  readonly force: boolean
}

/** An entry with another text in one of its bodies. */
function withText(
  line: HttpLine,
  [message, body]: readonly ['request', 'postData'] | readonly ['response', 'content'],
  text: string,
): HttpLine {
  const whole = isMembers(line[message]) ? line[message] : {}
  const before = isMembers(whole[body]) ? whole[body] : {}
  const { encoding: _encoding, ...kept } = before
  return { ...line, [message]: { ...whole, [body]: { ...kept, text } } }
}

/** Its bodies as the part has them: smaller ones, and those that lie beside the recording that it comes from. */
function withBodies(line: HttpLine, { request, reply }: RecordedExchange): HttpLine {
  const { request: was, reply: got } = exchangeOf(line, 0)
  let next = line
  if (request.body !== undefined && request.body !== was.body)
    next = withText(next, ['request', 'postData'], request.body)
  if (reply?.body !== undefined && reply.body !== got?.body)
    next = withText(next, ['response', 'content'], reply.body)
  if (next === line) return line
  // What the bytes were is not so any more.
  const { wire: _wire, ...rec } = next._rec
  return { ...next, _rec: rec }
}

export async function writePart(
  { path, part, failure, file, force }: PartOptions,
  io: Io,
): Promise<void> {
  const kept = new Map(part.exchanges.map((each) => [each.recordId, each]))
  const output = await openTextOutput(file, force, io)
  const hash = createHash('sha256')
  const write = (text: string): Promise<void> => {
    hash.update(text)
    return output.write(text)
  }
  try {
    for await (const { text, read } of recordingLines(path, () => undefined)) {
      if (read.kind === 'header')
        await write(lineOf({ ...read.line, _rec: { ...read.line._rec, failure } }))
      if (read.kind !== 'exchange') continue
      const exchange = kept.get(read.line._rec.id)
      if (!exchange) continue
      const line = withBodies(read.line, exchange)
      await write(line === read.line ? `${text}\n` : `${JSON.stringify(line)}\n`)
    }
    const last = part.exchanges.at(-1)
    await output.write(
      endLine({
        salt: saltIn(part.header._rec.id),
        instant: last?.startedAt ?? Date.parse(part.header._rec.t0),
        seq: last?.seq ?? 0,
        http: part.exchanges.length,
        dropped: 0,
        sha256: hash.digest('hex'),
      }),
    )
    await output.close()
  } catch (error) {
    await output.leave()
    throw error
  }
}
