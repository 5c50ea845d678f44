/** A fetch handler on a socket of the loopback interface. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OnSocket extends AsyncDisposable {
  readonly url: string
}

/** A handler that fails answers 500. */
export async function serveOnSocket(
  handler: (request: Request) => Promise<Response>,
): Promise<OnSocket> {
  const server = createServer((request, response) => {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
