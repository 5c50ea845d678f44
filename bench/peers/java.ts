/** Runs a mock server that is written in Java, and tells the CPU of its process, as Linux counts it. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { serveIpc } from '../ipc.ts'

const [jar = '', ...args] = process.argv.slice(2)
// Properties come before the program, its own arguments after it.
const properties = args.filter((each) => each.startsWith('-D'))
const own = args.filter((each) => !each.startsWith('-D'))
// Files that the server writes lie beside its jar: MockServer writes its certificate into the folder where it starts.
const cwd = dirname(jar)
const server = spawn('java', [...properties, '-jar', jar, ...own], { stdio: 'ignore', cwd })
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
server.once('exit', (code) => process.exit(code ?? 1))
process.once('exit', () => server.kill('SIGKILL'))

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** User and system time of all its threads: fields 14 and 15, of which the second may hold spaces. */
function cpuTicks(): number {
  const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

serveIpc(
  {
    usage: () => ({ cpuMicros: (cpuTicks() * 1_000_000) / ticksPerSecond }),
    calm: () => ({}),
    stop: () => ({}),
  },
  { port: 0, token: '' },
)
