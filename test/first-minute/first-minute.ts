/**
 * `npm run first-minute`: does what a newcomer does first, in a fresh clone and in an empty project with the packed
 * tarball, and prints how many seconds and how many lines of output each takes. Ends with 1 when one takes too long.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { packageFolder, shell, type ShellFolder } from './shell.ts'
import { openBareEndpoint } from './bare-endpoint.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Situation {
  readonly name: string
  /** In seconds. */
  readonly limit: number
  /** Does it; resolves with the number of lines of output that the newcomer has seen by then. */
  readonly run: (folder: ShellFolder) => Promise<number>
}

const linesOf = (text: string): number => text.trimEnd().split('\n').length

/** Ports are free ones, so that the script can run beside a session. */
const ports = '--port 0'

const menu = [
  'subject: { role: software-service }',
  'menu:',
  '  - { externalCode: P-101, name: Pizza Margherita, price: 39.9 }',
  '  - { externalCode: P-102, name: Calzone, price: 42.5 }',
  '',
].join('\n')

/** Seconds that typing takes, at five characters a second. */
const typing = (text: string): number => text.length / 5

const controlUrl = /control (http:\S+)/

const situations: readonly Situation[] = [
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
      const command = `npx sparring demo --defect forgets-event-ids --orders 1 --record bug.rec.ndjson ${ports}`
      const said = await shell(folder, command).done(1)
      if (!/SE-1/.test(said)) throw new Error(said)
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
          "npx sparring minimise bug.rec.ndjson --start 'npx sparring demo --service --speed 5 --defect forgets-event-ids' -o small --force",
        ).done(),
      ),
  },
]

/** A situation that takes longer has failed. */
const maxSeconds = 120

const after = (seconds: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not over after ${seconds} s`)), seconds * 1000).unref()
  })

const timed = async <Value>(work: () => Value | Promise<Value>): Promise<[number, Value]> => {
  const from = performance.now()
  const value = await work()
  return [(performance.now() - from) / 1000, value]
}

let isSlow = false

interface Measured {
  readonly name: string
  readonly seconds: number
  readonly lines: number
  readonly limit?: number
}

function report(where: string, { name, seconds, lines, limit }: Measured): void {
  const slow = limit !== undefined && seconds > limit
  isSlow ||= slow
  const bound = limit === undefined ? '' : `  at most ${Math.round(limit)} s`
  process.stdout.write(
    `${slow ? 'SLOW' : 'ok  '}  ${where.padEnd(7)}  ${seconds.toFixed(1).padStart(6)} s  ${String(lines).padStart(4)} lines  ${name}${bound}\n`,
  )
}

async function play(where: string, folder: ShellFolder): Promise<void> {
  for (const { name, limit, run } of situations)
    try {
      const [seconds, lines] = await timed(() => Promise.race([run(folder), after(maxSeconds)]))
      report(where, { name, seconds, lines, limit })
    } catch (error) {
      isSlow = true
      process.stdout.write(
        `FAIL  ${where.padEnd(7)}  ${name}: ${error instanceof Error ? error.message : String(error)}\n`,
      )
    }
}

const home = mkdtempSync(join(tmpdir(), 'sparring-first-minute-'))
try {
  const clone = join(home, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone])
  const inClone = packageFolder(clone)
  const [seconds, said] = await timed(() => shell(inClone, 'npm ci').done())
  report('clone', { name: 'npm ci', seconds, lines: linesOf(said) })
  const [startSeconds, lines] = await timed(async () => {
    await using session = shell(inClone, `npm start -- ${ports}`)
    await session.until(controlUrl)
    return linesOf(session.output())
  })
  report('clone', {
    name: 'npm start, until it is ready',
    seconds: startSeconds,
    lines,
    limit: 5,
  })
  await play('clone', inClone)

  execFileSync('npm', ['pack', '--silent', '--pack-destination', home], { cwd: clone })
  const tarball = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? ''
  const project = mkdtempSync(join(home, 'project-'))
  const inProject = packageFolder(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  const [installSeconds, installed] = await timed(() =>
    shell(inProject, `npm i -D ${join(home, tarball)}`).done(),
  )
  report('package', {
    name: 'npm i -D sparring',
    seconds: installSeconds,
    lines: linesOf(installed),
  })
  await play('package', inProject)
} finally {
  rmSync(home, { recursive: true, force: true })
}
// Whatever hung is left behind.
process.exit(isSlow ? 1 : 0)
