/** A fetch-style handler behind a socket, and how that socket is closed again. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fetch } from './send.ts'

export interface Serving {
  readonly port: number
  readonly close: () => Promise<void>
}

/** No body of the protocol comes near it. */
const mostBytes = 4 * 1024 * 1024

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= mostBytes) chunks.push(chunk)
  }
  return bytes <= mostBytes ? Buffer.concat(chunks) : undefined
}

function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join(', ') : value)
  return all
}

async function requestOf(came: IncomingMessage): Promise<Request | undefined> {
  const body = await bodyOf(came)
  if (!body) return undefined
  const { method = 'GET', url = '/', headers } = came
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: headersOf(came),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
  })
}

/** Listens on the loopback address only: it is there for tests and for trying things out. */
export async function serve(handle: Fetch, port: number): Promise<Serving> {
  const server = createServer((came, response) => {
    const answered = async (): Promise<void> => {
      // What breaks off, is too large or has no URL is no request.
      const request = await requestOf(came).catch(() => undefined)
      const answer = request ? await handle(request) : new Response(null, { status: 400 })
      const body = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(body)
    }
    void answered()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
