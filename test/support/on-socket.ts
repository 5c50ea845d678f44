/** Servers on a socket of the loopback interface. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OnSocket extends AsyncDisposable {
  readonly url: string
}

/** `port` 0 takes a free one. */
export async function listenOnSocket(listener: RequestListener, port = 0): Promise<OnSocket> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A fetch handler; one that fails answers 500. */
export const serveOnSocket = (
  handler: (request: Request) => Promise<Response>,
): Promise<OnSocket> =>
  listenOnSocket((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const made = new Request(new URL(url, 'http://127.0.0.1'), {
        method,
        headers: Object.entries(headers).map(([key, value]) => [key, String(value)]),
        ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
      })
      handler(made)
        .catch(() => new Response(null, { status: 500 }))
        .then(async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.headers))
          response.end(await answer.text())
        })
        .catch(() => response.destroy())
    })
  })
