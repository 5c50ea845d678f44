/**
 * `npm run bench -- certify`: certifies our four counterparts and the reference service over sockets, each as a program of its
 * own, by `sparring certify` of the built product, and prints the seconds that each takes. Names select.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CertificationReport } from '../../src/certification/report/report.ts'
import { trackChild, waitForExit } from '../child-processes.ts'
import { type CertifiedProgram, certifiedPrograms } from './services.ts'

const program = fileURLToPath(new URL('../../bin/sparring.js', import.meta.url))
const setup = fileURLToPath(new URL('setup.sh', import.meta.url))

/** Three minutes each. */
const maxSeconds = 180

const isWanted = ({ name }: CertifiedProgram, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((each) => name.includes(each))

/** Starts the service, and resolves when it listens; stop it in the end. */
async function startService({ args, configuration }: CertifiedProgram, folder: string) {
  const config = join(folder, 'service.config.json')
  if (configuration) writeFileSync(config, JSON.stringify(configuration))
  const child = trackChild(
    spawn(
      process.execPath,
      [program, ...args, ...(configuration ? ['-c', config] : []), '--json'],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ),
  )
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
  })
  child.stdout?.resume()
  return {
    async stop() {
      child.kill('SIGTERM')
      await waitForExit(child)
    },
  }
}

async function certify(
  { role, url, control }: CertifiedProgram,
  port: number,
  folder: string,
  more: readonly string[],
): Promise<CertificationReport> {
  const report = join(folder, 'report.json')
  const child = trackChild(
    spawn(
      process.execPath,
      [
        program,
        'certify',
        url,
        ...['--as', role, '--port', String(port)],
        ...(control === undefined ? [] : ['--setup', setup]),
        ...['--reporter', 'pretty', '--reporter', `json=${report}`],
        ...more,
      ],
      {
        cwd: folder,
        env: { ...process.env, ...(control === undefined ? {} : { CONTROL: control }) },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    ),
  )
  await waitForExit(child)
  return JSON.parse(readFileSync(report, 'utf8')) as CertificationReport
}

export async function runCertifyBench(wanted: readonly string[]): Promise<number> {
  const base = Number(process.env['CERT_PORT'] ?? 18100)
  const ports = { service: base, certify: base + 10 }
  let isInTime = true
  for (const each of certifiedPrograms(ports).filter((one) => isWanted(one, wanted))) {
    const folder = process.env['CERT_OUT'] ?? mkdtempSync(join(tmpdir(), 'sparring-certify-bench-'))
    const service = await startService(each, folder)
    try {
      const began = performance.now()
      const { counts } = await certify(
        each,
        ports.certify,
        folder,
        (process.env['CERT_ARGS'] ?? '').split(' ').filter(Boolean),
      )
      const seconds = (performance.now() - began) / 1000
      isInTime &&= seconds <= maxSeconds
      process.stdout.write(`${each.name}  ${seconds.toFixed(1)} s  ${JSON.stringify(counts)}\n`)
    } finally {
      await service.stop()
      if (!process.env['CERT_OUT']) rmSync(folder, { recursive: true })
    }
  }
  return isInTime ? 0 : 1
}
process.exitCode = await runCertifyBench(process.argv.slice(2))
