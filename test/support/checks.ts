/**
 * The checks before the tests, side by side: the formatter has one thread and takes as long as the others together. What
 * each says is printed when it has ended, so that nothing is mixed; one that fails fails the whole, after all have spoken.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'

/** One row after the other; rows run at the same time. Each is a script of package.json. */
const rows = [['format:check'], ['lint', 'typecheck', 'knip']] as const

function run(script: string): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += data.toString()))
  return new Promise((resolve) => {
    child.on('error', ({ message }) => (said += `${message}\n`))
    child.on('close', (code) => {
      if (said !== '') process.stdout.write(said)
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
