/**
 * `npm run bench -- certify`: the seconds that `sparring certify` takes for our four counterparts and for the reference service,
 * over sockets in real time, each a program of its own. It measures the built product.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { CertificationReport } from '../../src/certify/report/report.ts'
import { killChildren, trackChild, waitForExit } from '../child-processes.ts'
import { type CertifiedProgram, certifiedPrograms } from './services.ts'

export const certifyUsageText = `npm run bench -- certify [--port n] [--dialect name] [--verbose] [--json] [service...]

  --port     the first of twenty ports on 127.0.0.1 (18100)
  --dialect  what both sides speak (as the specification says); for services that are "up"
  --verbose  show what each certification prints, with the seconds of each procedure
  --json     one JSON object per service
  service    part of a name: up, demo, crm, "up software-service" (all)
`

/** Three minutes each. */
const maxSeconds = 180

const program = fileURLToPath(new URL('../../bin/sparring.js', import.meta.url))
const setup = fileURLToPath(new URL('setup.sh', import.meta.url))

interface ServiceSeconds {
  readonly service: string
  readonly seconds: number
  readonly atMost: number
  readonly counts: CertificationReport['counts']
}

interface CertifyBenchOptions {
  readonly isVerbose: boolean
  readonly dialect: string | undefined
}

/** Starts the service; resolves when it is ready. */
async function startService({ name, args, configuration }: CertifiedProgram, folder: string) {
  const file = join(folder, 'service.config.json')
  writeFileSync(file, JSON.stringify(configuration))
  const child = trackChild(
    spawn(process.execPath, [program, ...args, '--config', file, '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const ended = (code: number | null): Error => new Error(`${name} ended with ${code}`)
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', (code) => reject(ended(code)))
  })
  // Nobody reads its log.
  child.stdout.resume()
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await waitForExit(child)
    },
  }
}

/** Certifies the service as a user does; undefined when there is no report. */
async function certify(
  { role, url, control }: CertifiedProgram,
  port: number,
  folder: string,
  { isVerbose, dialect }: CertifyBenchOptions,
): Promise<CertificationReport | undefined> {
  const report = join(folder, 'report.json')
  const args = ['certify', url, '--as', role, '--port', String(port)]
  const reporters = ['--reporter', 'pretty', '--reporter', `json=${report}`]
  const asked = control === undefined ? [] : ['--setup', setup]
  if (dialect !== undefined) asked.push('--dialect', dialect)
  const child = trackChild(
    spawn(process.execPath, [program, ...args, ...asked, ...reporters], {
      cwd: folder,
      env: { ...process.env, CONTROL: control },
      stdio: ['ignore', isVerbose ? 'inherit' : 'ignore', 'inherit'],
    }),
  )
  await waitForExit(child)
  return existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as CertificationReport)
    : undefined
}

async function measure(
  service: CertifiedProgram,
  port: number,
  options: CertifyBenchOptions,
): Promise<ServiceSeconds> {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-certify-bench-'))
  try {
    await using _running = await startService(service, folder)
    const began = performance.now()
    const report = await certify(service, port, folder, options)
    const seconds = Math.round((performance.now() - began) / 100) / 10
    if (!report) throw new Error(`the certification of ${service.name} has no report`)
    return { service: service.name, seconds, atMost: maxSeconds, counts: report.counts }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const rowText = ({ service, seconds, atMost, counts }: ServiceSeconds): string =>
  [
    service.padEnd(26),
    `${seconds.toFixed(1)} s`.padStart(8),
    `at most ${atMost} s`,
    `${counts.passed} passed, ${counts.failed} failed, ${counts.warning} warnings, ${counts.skipped} skipped`,
  ].join('  ')

/** 1 when a service takes too long, or does not pass: then its seconds say nothing. */
export async function runCertifyBench(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '18100' },
      dialect: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const first = Number(values.port)
  const ports = { service: first, certify: first + 10 }
  const services = certifiedPrograms(ports, values.dialect).filter(
    ({ name }) => positionals.length === 0 || positionals.some((each) => name.includes(each)),
  )
  const options = { isVerbose: values.verbose, dialect: values.dialect }
  if (values.help || services.length === 0) {
    process.stderr.write(certifyUsageText)
    return values.help ? 0 : 2
  }
  let isGood = true
  try {
    for (const service of services) {
      const measured = await measure(service, ports.certify, options)
      const { seconds, atMost, counts } = measured
      isGood &&= seconds <= atMost && counts.failed + counts.warning === 0
      process.stdout.write(`${values.json ? JSON.stringify(measured) : rowText(measured)}\n`)
    }
  } finally {
    killChildren()
  }
  return isGood ? 0 : 1
}
