/** The lower bound: node:http that answers at once and does nothing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../asks.ts'
import { memory, usage } from './report.ts'

const body = '{"hello":"world"}'
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  answer({ usage, memory, calm: () => ({}), stop: () => ({}) }, { port, token: 'none' })
})
