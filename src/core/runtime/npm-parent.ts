/**
 * Watches the npm that started this process. npm passes a signal to the shell between it and us alone: on many systems that
 * shell ends of it and leaves its child behind, and of SIGHUP and SIGKILL we would not hear at all.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { isAlive } from './registry/process-identity.ts'

interface RunningProgram {
  readonly parent: number
  readonly command: readonly string[]
}

/**
 * npm starts a shell, which may start another one for a script. Whatever else is between looks after its children.
 */
const maxShells = 3
const lookEveryMs = 250
const psTimeoutMs = 2000

const run = promisify(execFile)

const programName = (file = ''): string => basename(file).replace(/\.(?:c?js|exe)$/, '')

const isShell = ({ command: [file] }: RunningProgram): boolean =>
  /^-?(?:sh|bash|dash|ash|zsh|ksh|busybox)$/.test(programName(file))

/** npm names its process `npm exec sparring`; the others are scripts that node runs. */
export function isPackageManager(command: readonly string[]): boolean {
  const [file, script] = command
  const name = programName(file)
  return /^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bunx?)(?:-cli)?$/.test(
    name === 'node' ? programName(script) : name,
  )
}

function onLinux(pid: number): RunningProgram {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  return { parent: Number(parent), command: command.split(' ') }
}

async function byPs(pid: number): Promise<RunningProgram> {
  const args = ['-o', 'ppid=,command=', '-p', String(pid)]
  const { stdout } = await run('ps', args, { timeout: psTimeoutMs })
  const [parent, ...command] = stdout.trim().split(/\s+/)
  return { parent: Number(parent), command }
}

/** The process id of the npm above us, with nothing but shells between. */
async function findNpm(): Promise<number | undefined> {
  const look = process.platform === 'linux' ? onLinux : byPs
  let pid = process.ppid
  for (let shells = 0; shells <= maxShells && pid > 0; shells++) {
    const program = await look(pid)
    if (isPackageManager(program.command)) return pid
    if (!isShell(program)) return undefined
    pid = program.parent
  }
  return undefined
}

/** Calls back once when the npm that started this process has ended; never where another program did. */
export async function watchNpm(onEnd: () => void): Promise<void> {
  // Without signals the question does not arise.
  if (process.platform === 'win32') return
  const npm = await findNpm().catch(() => undefined)
  if (npm === undefined) return
  const timer = setInterval(() => {
    if (isAlive(npm)) return
    clearInterval(timer)
    onEnd()
  }, lookEveryMs)
  timer.unref()
}
