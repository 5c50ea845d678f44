/** Reads a request body as text, up to a size limit, and parses it as JSON. */
import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '../../protocol/result.ts'
import { maxBodyBytes, maxBodyText } from '../server/limits.ts'
import { maxNestingLevels } from '../../protocol/nesting.ts'
import { isTooDeep } from '../server/request-body.ts'
import { type ControlAnswer, errorAnswer } from './answer.ts'

const tooLarge = err(
  errorAnswer('PAYLOAD_TOO_LARGE', `the body is over the limit of ${maxBodyText}`),
)

export async function readBodyText(
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
  return ok(Buffer.concat(chunks).toString('utf8'))
}

/** The parsed body, whatever its content type: `curl -d` claims a form. An empty body is an empty object. */
export function parseControlBody(text: string): Result<unknown, ControlAnswer> {
  if (text.trim() === '') return ok({})
  if (isTooDeep(text))
    return err(
      errorAnswer('INVALID_PAYLOAD', `the body is nested deeper than ${maxNestingLevels} levels`),
    )
  try {
    return ok(JSON.parse(text))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return err(errorAnswer('INVALID_PAYLOAD', `the body is no JSON: ${why}`))
  }
}
