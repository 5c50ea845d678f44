/**
 * Replaces the target's address by ours in a response body, byte by byte. Only uncompressed bodies that fit in memory
 * are rewritten; others are forwarded unchanged.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { endToEndHeaders } from './hop-by-hop.ts'

export interface AddressRewrite {
  readonly from: string
  readonly to: string
}

/** Maximum body size to buffer: a manifest has a few kilobytes. */
const maxHeldBytes = 1024 * 1024

export function forwardRewritten(
  answer: IncomingMessage,
  response: ServerResponse,
  { from, to }: AddressRewrite,
): void {
  let held: Buffer[] = []
  let size = 0
  const { 'content-encoding': coding = 'identity' } = answer.headers

  function begin(length?: number): void {
    const headers = endToEndHeaders(answer.rawHeaders)
    for (let at = 0; at + 1 < headers.length; at += 2)
      if (length !== undefined && headers[at]?.toLowerCase() === 'content-length')
        headers[at + 1] = String(length)
    response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', headers)
  }

  function forwardUnchanged(): void {
    answer.off('data', buffer)
    answer.off('end', finish)
    begin()
    for (const chunk of held) response.write(chunk)
    held = []
    answer.pipe(response)
  }

  function buffer(chunk: Buffer): void {
    held.push(chunk)
    size += chunk.length
    if (size > maxHeldBytes) forwardUnchanged()
  }

  function finish(): void {
    const theirs = Buffer.concat(held).toString('latin1')
    const ours = Buffer.from(theirs.replaceAll(from, to), 'latin1')
    // A HEAD response has no body: keep its Content-Length.
    begin(size === 0 ? undefined : ours.length)
    response.end(ours)
  }

  if (coding !== 'identity') {
    forwardUnchanged()
    return
  }
  answer.on('data', buffer)
  answer.on('end', finish)
}
