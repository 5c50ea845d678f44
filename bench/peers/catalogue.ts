/** Other mock servers, set up for the nearest equivalent: answer GET of an order with a document of the same size. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchOrder } from '../documents.ts'

export interface PeerServer {
  readonly name: string
  readonly package: string
  /** The command that the package installs. */
  readonly command: string
  /** Writes its configuration and returns the arguments that make it serve on this port. */
  readonly prepare: (
    folder: string,
    orders: readonly BenchOrder[],
    port: number,
  ) => readonly string[]
}

/** An OpenAPI document of one path with one example, from which tools generate their replies. */
function writeOpenApi(folder: string, [example]: readonly BenchOrder[]): string {
  const file = join(folder, 'peers.openapi.json')
  const content = { 'application/json': { schema: { type: 'object' }, example } }
  const parameter = { name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }
  const get = { parameters: [parameter], responses: { 200: { description: 'an order', content } } }
  const info = { title: 'orders', version: '1' }
  const paths = { '/orders/{orderId}': { get } }
  writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info, paths }))
  return file
}

function writeDatabase(folder: string, orders: readonly BenchOrder[]): string {
  const file = join(folder, 'peers.db.json')
  writeFileSync(file, JSON.stringify({ orders }))
  return file
}

export const peerCatalogue: readonly PeerServer[] = [
  {
    name: 'peer-json-server',
    package: 'json-server@0.17.4',
    command: 'json-server',
    prepare: (folder, orders, port) => [
      '--quiet',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      writeDatabase(folder, orders),
    ],
  },
  {
    name: 'peer-prism',
    package: '@stoplight/prism-cli',
    command: 'prism',
    prepare: (folder, orders, port) => [
      'mock',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--verboseLevel',
      'error',
      writeOpenApi(folder, orders),
    ],
  },
  {
    name: 'peer-mockoon',
    package: '@mockoon/cli',
    command: 'mockoon-cli',
    prepare: (folder, orders, port) => [
      'start',
      '--data',
      writeOpenApi(folder, orders),
      '--hostname',
      '127.0.0.1',
      '--port',
      String(port),
      '--disable-log-to-file',
      '--disable-admin-api',
    ],
  },
]
