/** Reads the body of a request of the control API as text, up to a size limit, and parses it as JSON. */
import type { IncomingMessage } from 'node:http'
import { maxNestingLevels } from '../../protocol/nesting.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { roundedNumberIn, roundedNumberText } from '../../traffic/json/lossless-json.ts'
import { maxBodyBytes, maxBodyText } from '../server/limits.ts'
import { receivedContent } from '../server/messages.ts'
import { garbledText, isTooDeep } from '../server/request-body.ts'
import { type ControlAnswer, errorAnswer } from './answer.ts'

const tooLarge = err(
  errorAnswer('PAYLOAD_TOO_LARGE', `the body is over the limit of ${maxBodyText}`),
)

export async function readControlBody(
  request: IncomingMessage,
): Promise<Result<string, ControlAnswer>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge
  const chunks: Buffer[] = []
  let bytes = 0
  // The request stays open: the client has to see the 413 before the connection is closed.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) return tooLarge
    chunks.push(chunk)
  }
  const { body, bytes: garbled } = receivedContent(Buffer.concat(chunks))
  return garbled ? err(errorAnswer('INVALID_PAYLOAD', garbledText)) : ok(body)
}

/** The parsed body, whatever its content type: `curl -d` claims a form. An empty body is an empty object. */
export function parseControlBody(text: string): Result<unknown, ControlAnswer> {
  if (text.trim() === '') return ok({})
  if (isTooDeep(text))
    return err(
      errorAnswer('INVALID_PAYLOAD', `the body is nested deeper than ${maxNestingLevels} levels`),
    )
  try {
    const rounded = roundedNumberIn(text)
    return rounded === undefined
      ? ok(JSON.parse(text))
      : err(errorAnswer('INVALID_PAYLOAD', roundedNumberText(rounded)))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return err(errorAnswer('INVALID_PAYLOAD', `the body is no JSON: ${why}`))
  }
}
