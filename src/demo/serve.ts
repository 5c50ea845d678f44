/** Serves a fetch-style handler on a loopback socket. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fetch } from './send.ts'

export interface ListeningServer {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Maximum request body; far above any body of the protocol. */
const maxBytes = 4 * 1024 * 1024

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : undefined
}

function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join(', ') : value)
  return all
}

async function requestOf(incoming: IncomingMessage): Promise<Request | undefined> {
  const body = await bodyOf(incoming)
  if (!body) return undefined
  const { method = 'GET', url = '/', headers } = incoming
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: headersOf(incoming),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
  })
}

/** Loopback only: it is meant for tests and experiments. */
export async function serve(handle: Fetch, port: number): Promise<ListeningServer> {
  const server = createServer((incoming, response) => {
    const respond = async (): Promise<void> => {
      // Aborted, oversized or malformed requests get 400.
      const request = await requestOf(incoming).catch(() => undefined)
      const answer = request ? await handle(request) : new Response(null, { status: 400 })
      const body = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(body)
    }
    void respond()
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
