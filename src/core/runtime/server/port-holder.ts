/**
 * Who listens on a port: a session of this user, or a program. It is looked for in a bounded time, and what is not found is
 * left out.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { portsOf } from '../registry/session-entry.ts'
import { readSessionRegistry } from '../registry/session-registry.ts'
import { sinceText, stopCommand } from '../registry/session-text.ts'

export interface PortHolder {
  /** `session since 10:02 (pid 123)`, `node server.js (pid 123)` */
  readonly name: string
  /** The command that ends it. */
  readonly stop?: string
}

const commandTimeoutMs = 1500
/**
 * Reading the open files of all processes takes milliseconds on an idle machine, and more than half a second on a busy
 * one.
 */
const scanTimeoutMs = 3000
/** A command line may be long; its beginning names the program. */
const maxNameLength = 80

const run = promisify(execFile)

function sessionOn(port: number): PortHolder | undefined {
  const session = readSessionRegistry().sessions.find((each) => portsOf(each).includes(port))
  return (
    session && {
      name: `the sparring session since ${sinceText(session)} (pid ${session.pid})`,
      stop: stopCommand(session),
    }
  )
}

interface ListeningSocket {
  readonly inode: string
  /** The user that opened it. */
  readonly uid: number
}

/** The sockets that listen on a port, from the tables of the kernel. */
export function listeningSockets(table: string, port: number): readonly ListeningSocket[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return table.split('\n').flatMap((line) => {
    const [, local, , state, , , , uid, , inode] = line.trim().split(/\s+/)
    const isWanted = local?.endsWith(`:${wanted}`) && state === '0A'
    return isWanted && inode !== undefined ? [{ inode, uid: Number(uid) }] : []
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Whether a process has one of these sockets open; not known of the processes of others. */
function hasSocket(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`))
      } catch {
        return false
      }
    })
  } catch {
    return false
  }
}

/** Newest processes first: the program that has the port of a session was usually started recently. */
function processIds(): readonly string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.sort((a, b) => Number(b) - Number(a))
}

/**
 * The kernel writes its tables in pieces, and a row can be missing from one that changes meanwhile: what is not found is
 * looked for again a little later.
 */
const pausesMs = [0, 20, 50, 100, 200, 400]

/** `tableOf` reads a table of the kernel. */
export async function holderOnLinux(
  port: number,
  tableOf = textOf,
): Promise<PortHolder | undefined> {
  const until = performance.now() + scanTimeoutMs
  let uid: number | undefined
  for (const pauseMs of pausesMs) {
    await setTimeout(pauseMs)
    const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => tableOf(file))
    const found = tables.flatMap((table) => listeningSockets(table, port))
    uid ??= found[0]?.uid
    const sockets = new Set(found.map(({ inode }) => `socket:[${inode}]`))
    for (const pid of found.length === 0 ? [] : processIds()) {
      if (hasSocket(pid, sockets)) return programOf(Number(pid), commandOf(pid))
      if (performance.now() > until) return programOfUser(uid)
    }
  }
  return programOfUser(uid)
}

/** The sockets of another user's processes cannot be read, but the table of the kernel names the user. */
export function programOfUser(
  uid: number | undefined,
  own = process.geteuid?.(),
): PortHolder | undefined {
  if (uid === undefined || Number.isNaN(uid) || uid === own) return undefined
  return { name: `a program of another user (uid ${uid})` }
}

/** `node server.js`: the name of the program without its folder, and its arguments. */
function commandOf(pid: string): string {
  const [file = '', ...args] = textOf(`/proc/${pid}/cmdline`).split('\0').filter(Boolean)
  return file === '' ? textOf(`/proc/${pid}/comm`).trim() : [basename(file), ...args].join(' ')
}

function programOf(pid: number, command: string): PortHolder {
  const name = command.length > maxNameLength ? `${command.slice(0, maxNameLength)}…` : command
  if (pid === process.pid) return { name: `this process itself (pid ${pid})` }
  const stop = process.platform === 'win32' ? `taskkill /PID ${pid}` : `kill ${pid}`
  return { name: `${name || 'a program'} (pid ${pid})`, stop }
}

async function outputOf(file: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(file, [...args], { timeout: commandTimeoutMs, windowsHide: true })
  return stdout
}

/** `lsof -F pc`: a line for each field, `p123` and `cnode`. */
export function holderInLsof(text: string): { pid: number; command: string } | undefined {
  const [, pid, command] = /^p(\d+)\n(?:(?!c).*\n)*c(.*)$/m.exec(text) ?? []
  return pid === undefined || command === undefined ? undefined : { pid: Number(pid), command }
}

async function holderByLsof(port: number): Promise<PortHolder | undefined> {
  const found = holderInLsof(await outputOf('lsof', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'))
  return found && programOf(found.pid, found.command)
}

/** `netstat -ano`: `TCP 127.0.0.1:7100 0.0.0.0:0 LISTENING 123`; the state is in the language of the system. */
export function pidInNetstat(text: string, port: number): number | undefined {
  for (const line of text.split('\n')) {
    const [protocol, local, remote, , pid] = line.trim().split(/\s+/)
    const isListening = remote?.endsWith(':0') === true
    if (protocol === 'TCP' && local?.endsWith(`:${port}`) && isListening) return Number(pid)
  }
  return undefined
}

async function holderOnWindows(port: number): Promise<PortHolder | undefined> {
  const pid = pidInNetstat(await outputOf('netstat', '-ano', '-p', 'TCP'), port)
  if (pid === undefined) return undefined
  const row = await outputOf('tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH')
  return programOf(pid, /^"([^"]*)"/.exec(row.trim())?.[1] ?? '')
}

type Finder = (port: number) => PortHolder | undefined | Promise<PortHolder | undefined>

const programOn: Readonly<Partial<Record<NodeJS.Platform, Finder>>> = {
  linux: holderOnLinux,
  win32: holderOnWindows,
}

/** Undefined when no holder is found; it never throws, and what one finder cannot read does not stop the next. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  for (const find of [sessionOn, programOn[process.platform] ?? holderByLsof])
    try {
      const holder = await find(port)
      if (holder) return holder
    } catch {
      continue
    }
  return undefined
}
