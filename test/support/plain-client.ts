/** A plain HTTP client with one token from the beginning, like curl. */
import { createHostClient, type HostAnswer } from './host-client.ts'

export interface PlainAnswer extends HostAnswer {
  readonly json: Record<string, unknown>
}

export type PlainClient = (method: string, path: string, body?: unknown) => Promise<PlainAnswer>

export async function clientAt(base: string): Promise<PlainClient> {
  const client = createHostClient({ fetch, base })
  const token = await client.token()
  return async (method, path, body) => {
    const answer = await client.send(method, path, { body, token })
    return { ...answer, json: (answer.json ?? {}) as Record<string, unknown> }
  }
}
