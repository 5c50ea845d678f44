/**
 * What a newcomer does first, each with the seconds that it may take: README, and the first situations of real users.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { printedLines } from '../support/printed-lines.ts'
import { splitComment } from '../support/shell-words.ts'
import { shell, type ShellCommand, type ShellFolder } from './shell.ts'
import { openBareEndpoint } from './bare-endpoint.ts'

export interface Situation {
  readonly name: string
  /** In seconds. */
  readonly limit: number
  /** Does it; resolves with the number of lines of output that the newcomer has seen by then. */
  readonly run: (folder: ShellFolder) => Promise<number>
}

export const linesOf = (text: string): number => text.trimEnd().split('\n').length

/** Ports are free ones, so that the script can run beside a session. */
export const ports = '--port 0'

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8')

const menu = [
  'subject: { role: software-service }',
  'menu:',
  '  - { externalCode: P-101, name: Pizza Margherita, price: 39.9 }',
  '  - { externalCode: P-102, name: Calzone, price: 42.5 }',
  '',
].join('\n')

/** Seconds that typing takes, at five characters a second. */
const typing = (text: string): number => text.length / 5

export const controlUrl = /control (http:\S+)/

/** The first order of a session with these flags, and the seed that it prints. */
async function firstOrder(folder: ShellFolder, flags: string) {
  await using session = shell(folder, `npx sparring up --as pos ${flags} ${ports}`)
  const seed = await session.until(/--seed (\d+)/)
  const control = await session.until(controlUrl)
  const create = `npx sparring orders create --control ${control}`
  return { seed, orderId: (await shell(folder, create).done()).trim() }
}

/** A port that is free now, as are the next four: those of the roles. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port < 65_000 ? port : freePort()
}

function expectText(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`not ${String(pattern)}: ${text}`)
}

/** The library as README shows it, with a service that answers every webhook. */
const libraryTest = `import { openSession } from 'sparring'

await using session = await openSession({
  as: 'software-service',
  subject: async () => new Response(null, { status: 204 }),
  counterparts: { 'ordering-application': { channel: 'webhook' } },
  clock: 'virtual',
})
session.faults.add({ 'duplicate-late': { event: 'CONFIRMED' } })
await session.createOrder({ type: 'DELIVERY' })
await session.advance(10_000)
console.log('failed rules:', session.verdicts().length)
`

export const situations: readonly Situation[] = [
  {
    name: 'the first npx sparring',
    limit: 3,
    run: async (folder) => linesOf(await shell(folder, 'npx sparring --version').done()),
  },
  {
    name: 'a bare webhook endpoint gets its first CREATED, by one command and no file',
    limit: 10,
    async run(folder) {
      await using service = await openBareEndpoint()
      const command = `npx sparring up --as pos --subject ${service.url} --channel webhook --orders-every 3s ${ports}`
      await using session = shell(folder, command)
      await service.created('secret')
      return linesOf(session.output())
    },
  },
  {
    name: 'a service that polls gets its first CREATED, by the curl line that is printed',
    limit: 10,
    async run(folder) {
      await using session = shell(folder, `npx sparring up --as pos --orders-every 1s ${ports}`)
      const printed = await session.until(/^\s*Try it\s+(curl .*)$/m)
      for (let tries = 0; tries < 50; tries++) {
        const answer = await shell(folder, printed).done()
        if (answer.includes('CREATED')) return linesOf(session.output())
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      throw new Error(`no CREATED by: ${printed}\n${session.output()}`)
    },
  },
  {
    name: 'an order from my own menu',
    limit: 60 - typing(menu),
    async run(folder) {
      const file = join(folder.path, 'sparring.config.yaml')
      writeFileSync(file, menu)
      try {
        await using session = shell(folder, `npx sparring up ${ports}`)
        const control = await session.until(controlUrl)
        const create = `npx sparring orders create --item P-101:2@25.90 --control ${control}`
        const orderId = (await shell(folder, create).done()).trim().split('\n').at(-1) ?? ''
        const show = `npx sparring orders show ${orderId} --json --control ${control}`
        const shown = await shell(folder, show).done()
        if (!shown.includes('P-101') || !/"itemsPrice"[^}]*51\.8/.test(shown.replaceAll(/\s/g, '')))
          throw new Error(`not the order that was asked for: ${shown}`)
        return linesOf(session.output())
      } finally {
        rmSync(file)
      }
    },
  },
  {
    name: 'doctor is not green for a bare endpoint without its warning',
    limit: 10,
    async run(folder) {
      await using service = await openBareEndpoint()
      const command = `npx sparring doctor --as pos --subject ${service.url} --channel webhook ${ports}`
      const said = await shell(folder, command).done()
      if (!/manifest/.test(said)) throw new Error(said)
      return linesOf(said)
    },
  },
  {
    name: 'the demo fails with a defect, and says why',
    limit: 20,
    async run(folder) {
      const command = `npx sparring demo --speed 20 --defect forgets-event-ids --orders 1 --record bug.rec.ndjson ${ports}`
      const said = await shell(folder, command).done(1)
      for (const line of printedLines(readme)) expectText(said, line)
      return linesOf(said)
    },
  },
  {
    name: 'the recording of the demo is reduced',
    limit: 15,
    run: async (folder) =>
      linesOf(
        await shell(
          folder,
          "npx sparring minimise bug.rec.ndjson --start 'sparring demo --service --speed 20 --defect forgets-event-ids' -o small --force",
        ).done(),
      ),
  },
  {
    name: 'a service that is not up: one line says so, and --wait-for-subject ends with 3',
    limit: 10,
    async run(folder) {
      const url = `http://127.0.0.1:${await freePort()}`
      const command = `npx sparring up --as pos --subject ${url} --channel webhook --orders-every 1s ${ports}`
      await using session = shell(folder, command)
      await session.until(/nothing listens at http:\S+: start your service/)
      await session.until(/left out from here on, until it answers again/)
      const waited = shell(folder, `${command} --wait-for-subject 0.5`)
      expectText(await waited.done(3), /does not answer/)
      return linesOf(session.output())
    },
  },
  {
    name: 'a port that is in use is named with the process that has it',
    limit: 10,
    async run(folder) {
      const port = await freePort()
      await using session = shell(folder, `npx sparring up --port ${port}`)
      await session.until(controlUrl)
      const said = await shell(folder, `npx sparring up --port ${port}`).done(2)
      expectText(said, /in use.*\b\d+\b.*sparring stop/s)
      return linesOf(said)
    },
  },
  {
    name: 'wrong credentials and a path of V1 are told with their remedy',
    limit: 10,
    async run(folder) {
      await using session = shell(folder, `npx sparring up --as pos ${ports}`)
      const base = await session.until(/ordering-application (http:\S+)/)
      const wrong = 'grant_type=client_credentials&client_id=subject&client_secret=x'
      await shell(folder, `curl -s -d '${wrong}' ${base}/oauth/token`).done()
      await session.until(/client secret of subject is wrong/)
      await shell(folder, `curl -s ${base}/v1/events:polling`).done()
      await session.until(/start with --dialect v1/)
      return linesOf(session.output())
    },
  },
  {
    name: 'the customer cancels the first order, by its slot',
    limit: 10,
    async run(folder) {
      await using session = shell(folder, `npx sparring up --as pos ${ports}`)
      const control = await session.until(controlUrl)
      await shell(folder, `npx sparring orders create --control ${control}`).done()
      const said = await shell(
        folder,
        `npx sparring orders cancel o1 --reason 'changed my mind' --control ${control}`,
      ).done()
      expectText(said, /cancelled by the customer/)
      return linesOf(session.output())
    },
  },
  {
    name: 'the second session has other ids, and --seed has those of the first again',
    limit: 20,
    async run(folder) {
      const first = await firstOrder(folder, '')
      const second = await firstOrder(folder, '')
      const again = await firstOrder(folder, `--seed ${first.seed}`)
      if (first.orderId === second.orderId || first.orderId !== again.orderId)
        throw new Error(`orders ${first.orderId}, ${second.orderId}, ${again.orderId}`)
      return 3
    },
  },
  {
    name: 'the manifest names the URL of --public-url',
    limit: 10,
    async run(folder) {
      const command = `npx sparring up --as pos --public-url http://sparring ${ports}`
      await using session = shell(folder, command)
      const port = await session.until(/http:\/\/sparring:(\d+) \(Ordering Application\)/)
      const manifest = `curl -s http://127.0.0.1:${port}/.well-known/protocol`
      expectText(await shell(folder, manifest).done(), /http:\/\/sparring:\d+/)
      return linesOf(session.output())
    },
  },
  {
    name: 'init writes a configuration that is valid, with its schema',
    limit: 10,
    async run(folder) {
      const own: ShellFolder = { ...folder, path: join(folder.path, 'configured') }
      mkdirSync(own.path)
      await shell(own, 'npx sparring init --as dp').done()
      const said = await shell(own, 'npx sparring doctor').done()
      expectText(said, /sparring\.config\.yaml is valid/)
      const text = readFileSync(join(own.path, 'sparring.config.yaml'), 'utf8')
      expectText(text, /^ {2}role: delivery-platform$/m)
      const [, schema = ''] = /\$schema=(.*)$/m.exec(text) ?? []
      JSON.parse(readFileSync(join(own.path, schema), 'utf8'))
      expectText(await shell(folder, 'npx sparring completion bash').done(), /complete /)
      return linesOf(said)
    },
  },
  {
    name: 'README, from top to bottom: each command comes up, or ends as it says',
    limit: 90,
    async run(folder) {
      const blocks = readme.matchAll(/(<!-- not run: .*? -->\n\n)?```sh\n([^]*?)\n```/g)
      const all = Array.from(blocks, ([, reason, text = '']) => (reason ? [] : text.split('\n')))
      let session: ShellCommand | undefined
      let printed = 0
      try {
        for (const { command, code } of all.flat().map(splitComment)) {
          const opens = / sparring up /.test(command)
          if (opens || / sparring demo /.test(command)) await session?.[Symbol.asyncDispose]()
          const env = { ...folder.env, SPARRING_PORT: '0' }
          const started = shell({ ...folder, env }, command.replace(/ --port \d+/, ''))
          if (opens) {
            await started.until(controlUrl)
            session = started
          } else printed += linesOf(await started.done(code))
        }
      } finally {
        await session?.[Symbol.asyncDispose]()
      }
      return printed
    },
  },
  {
    name: 'the documentation is read where there is no network: index, page, clause, words',
    limit: 20,
    async run(folder) {
      const docs = (words: string) => shell(folder, `npx sparring docs ${words}`).done()
      expectText(await docs(''), /^# Documentation/)
      expectText(await docs('webhook'), /^# Webhook/)
      expectText(await docs('ORD-EVR-03'), /deduplicated by eventId/)
      const said = await docs('forms signature')
      expectText(said, /^webhook +Forms of the signature/)
      return linesOf(said)
    },
  },
  {
    name: 'an agent is set up beside another server, and what its entry starts has the tools',
    limit: 15,
    async run(folder) {
      const file = join(folder.path, '.mcp.json')
      writeFileSync(file, '{ "mcpServers": { "other": { "command": "true" } } }\n')
      const setUp = () => shell(folder, 'npx sparring agent setup --for claude').done()
      expectText(await setUp(), /sparring was added/)
      expectText(await setUp(), /stays as it is/)
      const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
        readonly mcpServers: Readonly<Record<string, { command: string; args?: string[] }>>
      }
      const { command = '', args = [] } = mcpServers['sparring'] ?? {}
      expectText(Object.keys(mcpServers).join(), /other/)
      const said = await shell(folder, [command, ...args, '--list'].join(' ')).done()
      expectText(said, /session_start/)
      rmSync(file)
      return linesOf(said)
    },
  },
  {
    name: 'a skill is found, and what it asks for of the recording of the demo works',
    limit: 10,
    async run(folder) {
      const skill = await shell(folder, 'npx sparring docs reproduce-partner-bug').done()
      expectText(skill, /^---\nname: reproduce-partner-bug\n/)
      const [, line = ''] = /^(npx sparring report bug\.rec\.ndjson) /m.exec(skill) ?? []
      const said = await shell(folder, line).done()
      expectText(said, /bug\.report\.html/)
      return linesOf(said)
    },
  },
  {
    name: 'the test of the README compiles strictly, and runs in process',
    limit: 20,
    async run(folder) {
      const tools = fileURLToPath(new URL('../../node_modules/', import.meta.url))
      writeFileSync(join(folder.path, 'first.mts'), libraryTest)
      const strict =
        '--ignoreConfig --rootDir . --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false'
      const types = `--types node --typeRoots ${join(tools, '@types')}`
      await shell(
        folder,
        `${process.execPath} ${join(tools, 'typescript/bin/tsc')} ${strict} ${types} --target es2024 --lib es2024,esnext.disposable --module nodenext --outDir compiled first.mts`,
      ).done()
      const said = await shell(folder, `${process.execPath} compiled/first.mjs`).done()
      expectText(said, /failed rules: 0/)
      return linesOf(said)
    },
  },
  // A protocol of one's own, notes, and drift.
  {
    name: 'a dialect of my own is checked, and its curl line gets a code of three letters',
    limit: 10,
    async run(folder) {
      const example = new URL('../../examples/dialects/three-letter-codes.yaml', import.meta.url)
      writeFileSync(join(folder.path, 'mine.yaml'), readFileSync(example))
      const said = await shell(folder, 'npx sparring list dialects ./mine.yaml').done()
      expectText(said, /conduct\.paths\.getOrder: \/order\/v1\.0\/orders/)
      const command = `npx sparring up --as pos --dialect ./mine.yaml --orders-every 1s ${ports}`
      await using session = shell(folder, command)
      const printed = await session.until(/^\s*Try it\s+(curl .*)$/m)
      for (let tries = 0; tries < 50; tries++) {
        if ((await shell(folder, printed).done()).includes('"PLC"'))
          return linesOf(session.output())
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      throw new Error(`no PLC by: ${printed}\n${session.output()}`)
    },
  },
  {
    name: 'a note stays in the recording, and the same partner has no drift',
    limit: 15,
    async run(folder) {
      const up = `npx sparring up --as pos ${ports}`
      {
        await using session = shell(folder, `${up} --record noted.rec.ndjson`)
        const control = await session.until(controlUrl)
        await shell(folder, await session.until(/^\s*Try it\s+(curl .*)$/m)).done()
        const note = `npx sparring traffic note 1 'why so early?' --control ${control}`
        await shell(folder, note).done()
      }
      expectText(readFileSync(join(folder.path, 'noted.rec.ndjson'), 'utf8'), /why so early\?/)
      await using partner = shell(folder, up)
      const url = await partner.until(/(http:\S+) \(Ordering Application\)/)
      const said = await shell(folder, `npx sparring drift noted.rec.ndjson --to ${url}`).done()
      expectText(said, /no drift/)
      return linesOf(said)
    },
  },
]
