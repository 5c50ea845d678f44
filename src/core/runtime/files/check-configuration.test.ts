import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { scenarioOptions } from '../../session/run-scenario.ts'
import { readConfigurationFile } from './configuration-file.ts'

test('the former name of behaviour is read in configurations and scenarios, with one hint', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const counterparts = { crm: { port: 7, temperament: 'slow' } }
  const current = { counterparts: { crm: { port: 7, behaviour: 'slow' } } }
  const folder = await mkdtemp(join(tmpdir(), 'sparring-former-names-'))
  await writeFile(join(folder, 'sparring.config.json'), JSON.stringify({ counterparts }))
  const scenario = { name: 'a', about: 'b', subject: 'none' as const, session: { counterparts } }

  expect((await readConfigurationFile(folder))?.value).toEqual(current)
  expect(scenarioOptions(scenario)).toMatchObject(current)
  expect(warn.mock.calls).toEqual([
    ['counterparts.crm.temperament is called behaviour now: rename it.'],
  ])
})

test('a counterpart with both names is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sparring-former-names-'))
  const text = 'counterparts: { crm: { temperament: slow, behaviour: prompt } }\n'
  await writeFile(join(folder, 'sparring.config.yaml'), text)
  await expect(readConfigurationFile(folder)).rejects.toThrow('temperament')
})
