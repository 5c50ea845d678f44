/** Reads a request body as JSON, up to a size limit. */
import type { IncomingMessage } from 'node:http'
import { no, ok, type Result } from '../../protocol/result.ts'
import { isTooDeep, mostNesting } from '../server/body.ts'
import { type Answer, failure } from './answer.ts'

/** Body limit: generous for a single order. */
const mostBodyBytes = 10 * 1024 * 1024

const tooLarge = no(
  failure('PAYLOAD_TOO_LARGE', `the body is over the limit of ${mostBodyBytes / 1024 / 1024} MB`),
)

async function textOf(request: IncomingMessage): Promise<Result<string, Answer>> {
  if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes) return tooLarge
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    // Keep reading: returning would destroy the request, and the client would not see the 413.
    if (bytes <= mostBodyBytes) chunks.push(chunk)
    else if (bytes > 4 * mostBodyBytes) return tooLarge
  }
  if (bytes > mostBodyBytes) return tooLarge
  return ok(Buffer.concat(chunks).toString('utf8'))
}

/** The parsed body, whatever its content type: `curl -d` claims a form. An empty body is an empty object. */
export async function readBody(request: IncomingMessage): Promise<Result<unknown, Answer>> {
  const text = await textOf(request)
  if (!text.ok) return text
  if (text.value.trim() === '') return ok({})
  if (isTooDeep(text.value))
    return no(failure('INVALID_PAYLOAD', `the body is nested deeper than ${mostNesting} levels`))
  try {
    return ok(JSON.parse(text.value))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return no(failure('INVALID_PAYLOAD', `the body is no JSON: ${why}`))
  }
}
