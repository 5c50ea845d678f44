/**
 * The documents of every role and of the control API in the tools that people use them with: redocly lints them, and
 * openapi-typescript, openapi-fetch and orval make clients of them that the compiler takes, libraries included.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Configuration } from '../../src/core/session-api/configuration/schema.ts'
import { dialect } from '../../src/core/protocol/dialects/catalogue.ts'
import { roles } from '../../src/core/protocol/role.ts'
import { openSession } from '../../src/core/session/open-session.ts'
import { openApiOfRole } from '../../src/core/session/openapi.ts'
import { describeRoutes } from '../../src/core/runtime/control/openapi.ts'
import { controlRoutes } from '../../src/core/runtime/control/routes.ts'
import { loadTool, toolFolder } from '../tools/load-tool.ts'

/** openapi-typescript, whose compiler is a TypeScript 5 of its own: TypeScript 7 has no API in JavaScript. */
interface OpenapiTypescript {
  readonly default: (document: unknown) => Promise<unknown>
  readonly astToString: (types: unknown) => string
}

interface Orval {
  readonly generate: (
    options: {
      readonly input: { readonly target: string }
      readonly output: {
        readonly target: string
        readonly client: 'fetch' | 'zod'
        readonly mode: 'single'
      }
    },
    folder: string,
    settings: { readonly logLevel: 'error'; readonly throwOnError: true },
  ) => Promise<unknown>
}

interface OpenapiFetch {
  readonly default: (options: { readonly baseUrl: string; readonly fetch: unknown }) => {
    readonly GET: (path: string) => Promise<{ readonly data?: unknown }>
  }
}

const { default: openapiTypescript, astToString } =
  await loadTool<OpenapiTypescript>('openapi-typescript')
const { generate } = await loadTool<Orval>('orval')
const { default: createClient } = await loadTool<OpenapiFetch>('openapi-fetch')

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sparring-generators-'))
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const redocly = join(toolFolder('@redocly/cli'), 'bin/cli.js')

/** All documents, by the name of their files. */
const documents: ReadonlyMap<string, unknown> = new Map([
  ...roles.map((role) => [role, openApiOfRole(role, Configuration.parse({}))] as const),
  ...(
    [
      ['software-service', 'v1'],
      ['delivery-platform', 'opendelivery-v2'],
    ] as const
  ).map(([role, name]) => {
    const { conduct } = dialect(name)
    return [`${role}-${name}`, openApiOfRole(role, Configuration.parse({ conduct }))] as const
  }),
  ['crm-strict', openApiOfRole('crm', Configuration.parse({ conduct: { bodies: 'strict' } }))],
  ['control', describeRoutes(controlRoutes, { version: '1.0.0' })],
])

const names = [...documents.keys()]

/** Output of a tool, with its errors; rejects with both unless it succeeds. */
async function output(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  try {
    const { stdout, stderr } = await run(process.execPath, [command, ...args], { cwd: folder, env })
    return `${stdout}${stderr}`
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${stdout}${stderr}`, { cause: error })
  }
}

beforeAll(() => {
  // What the clients import.
  mkdirSync(join(folder, 'node_modules'))
  for (const from of [toolFolder('openapi-fetch'), join(root, 'node_modules/zod')])
    symlinkSync(from, join(folder, 'node_modules', basename(from)), 'junction')
  mkdirSync(join(folder, 'clients'))
  for (const [name, document] of documents)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lint = (files: readonly string[]): Promise<string> =>
  output(redocly, ['lint', ...files, '--extends', 'recommended-strict'])

test('redocly finds nothing, neither errors nor warnings of its recommended rules', async () => {
  const said = await lint(names.map((name) => `${name}.json`))
  expect(said).toContain('Your API descriptions are valid')
  expect(said).not.toMatch(/\d+ (?:warning|error)/)
})

test('redocly does look: a document without its securities is refused', async () => {
  const text = JSON.stringify(documents.get('crm')).replaceAll('"security":', '"x-security":')
  writeFileSync(join(folder, 'open.json'), text)
  await expect(lint(['open.json'])).rejects.toThrow(/security-defined/)
})

/** Uses of the generated types: paths, parameters, bodies, enums and recursion as a reader would write them. */
const uses = `
import createClient from 'openapi-fetch'
import type { paths as Control } from './control.types.ts'
import type { paths as Crm } from './crm.types.ts'
import type { paths as Application } from './ordering-application.types.ts'

const application = createClient<Application>({ baseUrl: 'http://127.0.0.1:7101' })

export async function nestedOption(orderId: string): Promise<string | undefined> {
  const { data, error } = await application.GET('/orders/{orderId}', { params: { path: { orderId } } })
  if (error) return error.error.code
  return data.items[0]?.options?.[0]?.options?.[0]?.options?.[0]?.name
}

export const poll = () =>
  application.GET('/events:polling', {
    params: { query: { eventType: ['CREATED'] }, header: { 'X-Polling-Merchants': 'm1' } },
  })

export const misspelled = () =>
  application.GET('/events:polling', {
    // @ts-expect-error: there is no such type of event
    params: { query: { eventType: ['CRATED'] } },
  })

export const customers = () =>
  createClient<Crm>({ baseUrl: 'http://127.0.0.1:7104' }).GET('/customers', {
    params: { query: { page: 1, customerIdentifierType: 'phone', customerIdentifierValue: '55' } },
  })

export async function orderSlots(): Promise<readonly (string | undefined)[]> {
  const control = createClient<Control>({ baseUrl: 'http://127.0.0.1:7100' })
  const { data = [] } = await control.GET('/orders')
  return data.map(({ slot }) => slot)
}
`

const compilerOptions = {
  strict: true,
  noEmit: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  allowImportingTsExtensions: true,
}

test('openapi-typescript, openapi-fetch and orval make clients that compile without skipLibCheck', async () => {
  const clients = join(folder, 'clients')
  for (const [name, document] of documents) {
    writeFileSync(join(clients, `${name}.types.ts`), astToString(await openapiTypescript(document)))
    for (const client of ['fetch', 'zod'] as const)
      await generate(
        {
          input: { target: join(folder, `${name}.json`) },
          output: { target: join(clients, `${name}.${client}.ts`), client, mode: 'single' },
        },
        folder,
        { logLevel: 'error', throwOnError: true },
      )
  }
  writeFileSync(join(clients, 'uses.ts'), uses)
  writeFileSync(
    join(clients, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  )
  // It rejects with what the compiler finds.
  const compiled = await output(compiler, ['--project', clients, '--listFiles'])
  expect(compiled).toMatch(/control\.zod\.ts/)
  expect(compiled).not.toMatch(/error TS/)
})

test('openapi-fetch reads the manifest of a session', async () => {
  await using session = await openSession({ listen: false, clock: 'stepped' })
  const baseUrl = session.urls.get('crm') ?? ''
  const client = createClient({ baseUrl, fetch: session.fetch })
  const { data } = await client.GET('/.well-known/protocol')
  expect(data).toMatchObject({ participantId: expect.stringMatching(/crm/) })
})
