/** The lower bound: node:http that answers at once and does nothing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveIpc } from '../ipc.ts'
import { measureMemory, measureCpu } from './process-usage.ts'

const body = '{"hello":"world"}'
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  serveIpc(
    { usage: measureCpu, memory: measureMemory, calm: () => ({}), stop: () => ({}) },
    { port, token: 'none' },
  )
})
