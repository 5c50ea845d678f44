/** The receiver of webhooks, a separate process: accepts every signed webhook and issues a token on every request. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveIpc } from '../ipc.ts'

const token = JSON.stringify({ access_token: 'sink', token_type: 'bearer', expires_in: 3600 })

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url === '/oauth/token') {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': token.length,
      })
      response.end(token)
      return
    }
    const signed = request.headers['x-app-signature'] !== undefined
    response.writeHead(signed ? 204 : 401)
    response.end()
  })
})

server.listen(0, '127.0.0.1', () =>
  serveIpc({ stop: () => ({}) }, { port: (server.address() as AddressInfo).port, token: '' }),
)
