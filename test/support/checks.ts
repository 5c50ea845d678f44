/**
 * Runs the static checks before the tests in two parallel rows. Output is printed per check when it ends; any failure
 * fails the whole after all have ended.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'

/** Rows run in parallel, their scripts in sequence, and take about as long. Each is a script of package.json. */
const rows = [
  ['lint', 'format:check'],
  ['typecheck', 'knip'],
] as const

/**
 * The compiler and the type-aware rules are Go programs. One thread for each row and no collection of garbage while it
 * fits into memory take two thirds of the time.
 */
const env = { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '3GiB', ...process.env }

function run(script: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--run', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()))
  return new Promise((resolve) => {
    child.on('error', ({ message }) => (output += `${message}\n`))
    child.on('close', (code) => {
      if (output !== '') process.stdout.write(output)
      if (code !== 0) process.stdout.write(`npm run ${script} failed\n`)
      resolve(code === 0)
    })
  })
}

async function inTurn(scripts: readonly string[]): Promise<boolean> {
  let good = true
  for (const script of scripts) good = (await run(script)) && good
  return good
}

const results = await Promise.all(rows.map(inTurn))
process.exitCode = results.every(Boolean) ? 0 : 1
