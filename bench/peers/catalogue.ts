/** Other mock servers, set up for the nearest equivalent: answer GET of an order with a document of the same size. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchOrder } from '../documents.ts'

export interface PeerServer {
  readonly name: string
  /** On npm; the Java servers have packages that hold or fetch their program. */
  readonly package: string
  readonly version: string
  /** The command of the package, or where its program for Java is in it. */
  readonly program: { readonly command: string } | { readonly jar: RegExp }
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

function writeJson(file: string, value: unknown): string {
  writeFileSync(file, JSON.stringify(value))
  return file
}

/** The folder that WireMock serves, with one mapping. */
function writeMapping(folder: string, [jsonBody]: readonly BenchOrder[]): string {
  const root = join(folder, 'wiremock')
  mkdirSync(join(root, 'mappings'), { recursive: true })
  writeJson(join(root, 'mappings', 'order.json'), {
    request: { method: 'GET', urlPathPattern: '/orders/.*' },
    response: { status: 200, headers: { 'content-type': 'application/json' }, jsonBody },
  })
  return root
}

const writeExpectation = (folder: string, [order]: readonly BenchOrder[]): string =>
  writeJson(join(folder, 'peers.mockserver.json'), [
    {
      httpRequest: { method: 'GET', path: '/orders/.*' },
      httpResponse: {
        headers: { 'content-type': ['application/json'] },
        body: JSON.stringify(order),
      },
    },
  ])

export const peerCatalogue: readonly PeerServer[] = [
  {
    name: 'peer-json-server',
    package: 'json-server',
    version: '0.17.4',
    program: { command: 'json-server' },
    prepare: (folder, orders, port) => [
      '--quiet',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      writeJson(join(folder, 'peers.db.json'), { orders }),
    ],
  },
  {
    name: 'peer-prism',
    package: '@stoplight/prism-cli',
    version: '5.16.0',
    program: { command: 'prism' },
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
    version: '9.9.0',
    program: { command: 'mockoon-cli' },
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
  {
    name: 'peer-wiremock',
    package: 'wiremock',
    version: '3.13.2',
    program: { jar: /^build\/wiremock-standalone-.*\.jar$/ },
    prepare: (folder, orders, port) => [
      '--bind-address',
      '127.0.0.1',
      '--port',
      String(port),
      '--no-request-journal',
      '--disable-banner',
      '--root-dir',
      writeMapping(folder, orders),
    ],
  },
  {
    name: 'peer-mockserver',
    package: 'mockserver-node',
    version: '8.0.0',
    program: { jar: /^mockserver-netty-.*\.jar$/ },
    prepare: (folder, orders, port) => [
      '-serverPort',
      String(port),
      '-Dmockserver.localBoundIP=127.0.0.1',
      '-Dmockserver.logLevel=ERROR',
      `-Dmockserver.initializationJsonPath=${writeExpectation(folder, orders)}`,
    ],
  },
]
