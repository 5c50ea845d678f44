/**
 * What this machine shows of the program that has a port, read without the product: where it shows the program, the product
 * must name it, and where it does not (a restricted /proc, no lsof) the other answer is the right one.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

/**
 * In a process of its own, as the product sees us: our sockets among our files, and the port in the table of the
 * kernel.
 */
const readsOurSockets = `
  const { readdirSync, readFileSync, readlinkSync } = require('node:fs')
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    const port = server.address().port.toString(16).toUpperCase().padStart(4, '0')
    const row = readFileSync('/proc/net/tcp', 'utf8').split('\\n').find((line) => line.includes(':' + port + ' 00000000:0000'))
    const folder = '/proc/' + process.ppid + '/fd/'
    const files = readdirSync(folder).map((file) => { try { return readlinkSync(folder + file) } catch { return '' } })
    process.exit(row !== undefined && / [1-9]\\d* /.test(row.slice(row.indexOf(' 0A '))) && files.some((file) => file.startsWith('socket:[')) ? 0 : 1)
  })`

const succeeds = (file: string, ...args: readonly string[]): boolean =>
  spawnSync(file, args, { stdio: 'ignore' }).status === 0

const shows: Readonly<Partial<Record<NodeJS.Platform, () => boolean>>> = {
  linux: () => succeeds(process.execPath, '--eval', readsOurSockets),
  win32: () => succeeds('tasklist'),
}

let isShown: boolean | undefined

/** Whether a program of this user that has a port can be named on this machine. */
export const canNamePortHolders = (): boolean =>
  (isShown ??= (shows[process.platform] ?? (() => succeeds('lsof', '-v')))())

/** What a command says of a port that `name` (a regular expression) has, ended with `stop` where that is known. */
export function inUseText(name: string, stop = ''): string {
  if (!canNamePortHolders()) return String.raw`the port is in use\. Stop what uses it; or`
  return `the port is in use by ${name}\\. ${stop === '' ? 'Stop what uses it' : `Stop it with: ${stop}`}; or`
}
