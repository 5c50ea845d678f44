import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { createSaveScenario } from './save-scenario.ts'

function saving() {
  const cwd = emptyFolder()
  const made: string[] = []
  const save = createSaveScenario({
    cwd,
    textOf(name) {
      made.push(name)
      return Promise.resolve(`name: ${name}\n`)
    },
  })
  const file = join(cwd, 'scenarios', 'late.yaml')
  return { cwd, save, made, file }
}

test('the scenario is written to the folder scenarios, which is created if missing', async () => {
  const { save, file } = saving()
  expect(await save({ name: 'late', overwrite: false })).toEqual({
    ok: true,
    value: join('scenarios', 'late.yaml'),
  })
  expect(readFileSync(file, 'utf8')).toBe('name: late\n')
})

test('an existing scenario is overwritten only on request', async () => {
  const { save, file, made } = saving()
  mkdirSync(join(file, '..'))
  writeFileSync(file, 'somebody’s own')
  const refused = await save({ name: 'late.yaml', overwrite: false })
  expect(refused).toEqual({
    ok: false,
    error: { kind: 'exists', file: join('scenarios', 'late.yaml') },
  })
  expect(made).toEqual([])
  expect(readFileSync(file, 'utf8')).toBe('somebody’s own')
  expect((await save({ name: 'late', overwrite: true })).ok).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('name: late\n')
})

test('a write error is returned as a sentence', async () => {
  const { cwd, save } = saving()
  writeFileSync(join(cwd, 'scenarios'), 'a file')
  expect(await save({ name: 'late', overwrite: false })).toMatchObject({
    error: {
      kind: 'problem',
      message: expect.stringContaining('the scenario could not be written: E'),
    },
  })
})
