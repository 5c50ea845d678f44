/**
 * Outputs: a regular file is replaced as a whole, behind symbolic links too; FIFOs, devices and descriptors are written
 * into. Device nodes are the test's own.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { makeFifo, makeNullDevice } from '../../../../test/support/special-files.ts'
import { keepingStream } from '../../../replay/cli/minimise/proof.ts'
import { openOutput, saveFileSync, saveOutput } from './output.ts'
import { outputPlaceOf } from './output-place.ts'

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'sparring-output-')))
const over = { replace: true } as const
const fresh = { replace: false } as const

test('a file is whole or not there: it is written beside, and an aborted one leaves nothing', async () => {
  const cwd = folder()
  const output = await openOutput('out/report.json', { ...fresh, cwd })
  await output.write('half')
  expect(readdirSync(join(cwd, 'out'))).toEqual([expect.stringMatching(/^report\.json\..*\.tmp$/)])
  output.abort()
  expect(readdirSync(join(cwd, 'out'))).toEqual([])
  await saveOutput('out/report.json', 'whole', { ...fresh, cwd })
  expect(readdirSync(join(cwd, 'out'))).toEqual(['report.json'])
})

test('a file that is there, or that comes meanwhile, is not replaced unless that is asked for', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'a'), 'precious')
  await expect(openOutput('a', { ...fresh, cwd })).rejects.toMatchObject({ code: 'EEXIST' })
  const output = await openOutput('b', { ...fresh, cwd })
  await output.write('ours')
  writeFileSync(join(cwd, 'b'), 'of somebody else')
  await expect(output.close()).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(join(cwd, 'b'), 'utf8')).toBe('of somebody else')
  expect(readdirSync(cwd)).toEqual(['a', 'b'])
})

test('a replaced file keeps its permissions, and a private one is for its owner only', async () => {
  const cwd = folder()
  const file = join(cwd, 'a')
  writeFileSync(file, 'before')
  chmodSync(file, 0o640)
  await saveOutput(file, 'after', over)
  expect(statSync(file).mode & 0o777).toBe(0o640)
  await saveOutput(file, 'secret', { ...over, mode: 0o600 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('behind symbolic links the target is replaced beside the target, and the links stay', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'there'))
  writeFileSync(join(cwd, 'there/target'), 'before')
  symlinkSync('there/target', join(cwd, 'first'))
  symlinkSync('first', join(cwd, 'second'))
  symlinkSync('there/new', join(cwd, 'dangling'))
  await saveOutput('second', 'after', { ...over, cwd })
  await saveOutput('dangling', 'made', { ...fresh, cwd })
  expect(readFileSync(join(cwd, 'there/target'), 'utf8')).toBe('after')
  expect(readFileSync(join(cwd, 'there/new'), 'utf8')).toBe('made')
  expect(readlinkSync(join(cwd, 'second'))).toBe('first')
  expect(readdirSync(cwd).sort()).toEqual(['dangling', 'first', 'second', 'there'])
  symlinkSync('circle', join(cwd, 'circle'))
  await expect(openOutput('circle', { ...over, cwd })).rejects.toMatchObject({ code: 'ELOOP' })
})

test('only the file that was written is removed', async () => {
  const cwd = folder()
  const file = join(cwd, 'a')
  const first = await saveOutput(file, 'first', over)
  const second = await saveOutput(file, 'second', over)
  first?.remove()
  expect(readFileSync(file, 'utf8')).toBe('second')
  second?.remove()
  second?.remove()
  expect(readdirSync(cwd)).toEqual([])
})

test('a FIFO is written into, at the pace of its reader', async () => {
  const cwd = folder()
  const fifo = join(cwd, 'fifo')
  makeFifo(fifo)
  const saved = saveOutput(fifo, 'x'.repeat(300_000), fresh)
  const reader = spawn('cat', [fifo])
  const [, read] = await Promise.all([saved, text(reader.stdout)])
  expect(read).toHaveLength(300_000)
  expect(lstatSync(fifo).isFIFO()).toBe(true)
})

test('a FIFO whose reader ends is an error', async () => {
  const fifo = join(folder(), 'fifo')
  makeFifo(fifo)
  spawn('head', ['-c', '1', fifo])
  const output = await openOutput(fifo, fresh)
  const writing = (async () => {
    for (;;) await output.write('x'.repeat(100_000))
  })()
  await expect(writing).rejects.toMatchObject({ code: 'EPIPE' })
  output.abort()
})

test('a device is written into', async ({ skip }) => {
  const node = join(folder(), 'null')
  // Another node of the null device, in a folder of the test.
  if (!makeNullDevice(node)) skip('mknod is not permitted here')
  expect(outputPlaceOf(node)).toMatchObject({ kind: 'special', isFifo: false })
  await saveOutput(node, 'gone', over)
  expect(lstatSync(node).isCharacterDevice()).toBe(true)
  expect(() => saveFileSync(node, 'a key', over)).toThrow('is no regular file')
  expect(lstatSync(node).isCharacterDevice()).toBe(true)
  rmSync(node)
})

test.skipIf(process.platform === 'win32')(
  '- and /dev/stdout are what stands for stdout, and other descriptors are written into and left open',
  async () => {
    const file = join(folder(), 'a')
    const stdout = keepingStream()
    for (const name of ['-', '/dev/stdout', '/dev/fd/1'])
      await saveOutput(name, `${name};`, { ...fresh, stdout: stdout.stream })
    expect(stdout.text()).toBe('-;/dev/stdout;/dev/fd/1;')
    const fd = openSync(file, 'w')
    await saveOutput(`/dev/fd/${fd}`, 'one ', fresh)
    await saveOutput(`/dev/fd/${fd}`, 'two', fresh)
    closeSync(fd)
    expect(readFileSync(file, 'utf8')).toBe('one two')
  },
)

test('a folder is an error', async () => {
  await expect(openOutput(folder(), over)).rejects.toMatchObject({ code: 'EISDIR' })
})
