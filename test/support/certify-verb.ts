/** `sparring certify` in this process, against an Ordering Application of ours in another session over sockets. */
import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../../src/sparring/verbs/support/program.ts'
import { certifyVerb } from '../../src/certify/cli/certify.ts'
import { Problem } from '../../src/core/base/problem.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import { openSession } from '../../src/core/session/open-session.ts'
import { createTestIo } from './test-io.ts'

const program = { name: 'sparring', summary: '', version: '1', verbs: [certifyVerb] }

export interface CertifyVerb {
  /** Of the service. */
  readonly url: string
  /** The command of `--setup` with which it creates orders. */
  readonly setup: string
  /** A path in the folder in which the verb runs. */
  readonly at: (name: string) => string
  readonly certify: (
    ...args: readonly string[]
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>
  readonly close: () => Promise<void>
}

export async function openCertifyVerb(): Promise<CertifyVerb> {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-certify-test-'))
  const at = (name: string): string => join(folder, name)
  const service = await openSession({
    only: ['ordering-application'],
    as: 'software-service',
    port: 0,
    subject: {
      credentials: {
        clientId: 'sparring-software-service',
        clientSecret: 'secret-of-software-service',
      },
    },
  })
  // What an operator of the service does: it creates an order.
  const asked: Server = createServer((request, response) => {
    const type = new URL(request.url ?? '', 'http://x').searchParams.get('type')
    void service.createOrder({ type: (type ?? 'DELIVERY') as OrderType }).then((created) => {
      response.writeHead(created.ok ? 201 : 500).end()
    })
  })
  await new Promise<void>((resolve) => asked.listen(0, '127.0.0.1', resolve))
  writeFileSync(
    at('sparring.config.yaml'),
    'subject: { role: ordering-application, credentials: { clientId: sparring-ordering-application, clientSecret: secret-of-ordering-application } }\n',
  )
  const { port } = asked.address() as AddressInfo
  return {
    url: service.urls.get('ordering-application') ?? '',
    setup: `curl --silent --fail --request POST "http://127.0.0.1:${port}/?type=$SPARRING_ORDER_TYPE"`,
    at,
    async certify(...args) {
      const { io, written } = createTestIo({
        cwd: folder,
        env: { PATH: process.env['PATH'], SPARRING_PORT: '0' },
      })
      try {
        const code = await runProgram(program, ['certify', ...args], io)
        return { code, ...written() }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const { stdout, stderr } = written()
        return { code: error.exit, stdout, stderr: `${stderr}${error.message}` }
      }
    },
    async close() {
      asked.close()
      await service.close()
      rmSync(folder, { recursive: true })
    },
  }
}
