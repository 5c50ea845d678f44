import { EventEmitter } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTerminal, type TerminalDevice } from './terminal.ts'

let folder = ''
let descriptor = -1

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sparring-terminal-'))
})
afterEach(() => {
  closeSync(descriptor)
  rmSync(folder, { recursive: true })
})

/** A device as Node gives it: a descriptor, a size, and resize events. */
const device = (fd: number) =>
  Object.assign(new EventEmitter(), { fd, columns: 80, rows: 24 }) as unknown as TerminalDevice

function onFile() {
  const path = join(folder, 'screen')
  descriptor = openSync(path, 'w')
  const stdout = device(descriptor)
  return { stdout, terminal: openTerminal({ stdout }), content: () => readFileSync(path, 'utf8') }
}

describe('the terminal', () => {
  test('writes in order, and restores the screen once at the end', async () => {
    const { terminal, content } = onFile()
    for (let count = 0; count < 50; count++) terminal.output.write(`frame ${count}\n`)
    await terminal.close()
    const written = content()
    const frames = Array.from({ length: 50 }, (_, count) => `frame ${count}\n`).join('')
    // Automatic wrap is off meanwhile.
    expect(written.startsWith(`\u{1b}[?7l${frames}`)).toBe(true)
    expect(written.split('\u{1b}[?7h').length).toBe(2)
    expect(written.split('\u{1b}[?1049l').length).toBe(2)
    expect(written.endsWith('\u{1b}[?25h')).toBe(true)
  })

  test('has the size of the device, and passes on its resize events', async () => {
    const { terminal, stdout } = onFile()
    let resizeCount = 0
    terminal.output.on('resize', () => resizeCount++)
    Object.assign(stdout, { columns: 120, rows: 40 })
    stdout.emit('resize')
    expect([terminal.output.columns, terminal.output.rows, resizeCount]).toEqual([120, 40, 1])
    await terminal.close()
    stdout.emit('resize')
    expect(resizeCount).toBe(1)
  })

  test('reports of the mouse are on while it is open, and off while another program has it', async () => {
    const path = join(folder, 'screen')
    descriptor = openSync(path, 'w')
    const terminal = openTerminal({ stdout: device(descriptor), mouse: true })
    const mouseModes = () =>
      Array.from(readFileSync(path, 'utf8').matchAll(/\[\?1000([hl])/g), ([, mode]) => mode)
    expect(await terminal.lend(() => Promise.resolve(mouseModes()))).toEqual(['h', 'l'])
    await expect(terminal.lend(() => Promise.reject(new Error('no editor')))).rejects.toThrow(
      'no editor',
    )
    await terminal.close()
    expect(mouseModes()).toEqual(['h', 'l', 'h', 'l', 'h', 'l'])
  })

  test('handles signals only while it is open', async () => {
    const before = process.listenerCount('SIGTERM')
    const heard: string[] = []
    descriptor = openSync(join(folder, 'screen'), 'w')
    const terminal = openTerminal({
      stdout: device(descriptor),
      onSignal: (signal) => heard.push(signal),
    })
    process.emit('SIGTERM', 'SIGTERM')
    expect(heard).toEqual(['SIGTERM'])
    await terminal.close()
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})
