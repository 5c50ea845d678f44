/** `sparring up` with faults: invalid ones end it before a port is opened, hits and their consequences are logged. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess, startHere } from '../../../test/support/run-in-process.ts'
import { machineClock } from '../../demo/clock.ts'
import { serve } from '../../demo/listen.ts'
import { createSoftwareService, type SoftwareService } from '../../demo/software-service.ts'
import { emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { words } from '../../../test/support/shell-words.ts'

test('an invalid fault exits with 2 and its source, whether from file or flag', async () => {
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'sparring.config.yaml'),
    'port: 0\nfaults:\n  - { drop: { event: CONFIRMED } }\n  - { duplicat: { event: CONFIRMED } }\n',
  )
  const [flag, environment, file, doctor] = await Promise.all([
    runInProcess(words`up --port 0 --fault drop:event=CONFIRMED --fault drop:nth=first`),
    runInProcess(['up', '--port', '0'], { env: { SPARRING_FAULT: 'drop; dropp:event=CONFIRMED' } }),
    runInProcess(['up'], { cwd }),
    runInProcess(['doctor'], { cwd }),
  ])
  for (const each of [flag, environment, file]) expect([each.code, each.stdout]).toEqual([2, ''])
  expect(flag.stderr).toMatch(/^sparring: reading --fault: .*nth.* See sparring list faults\.$/m)
  expect(environment.stderr).toMatch(/^sparring: reading --fault: there is no fault "dropp"/m)
  expect(file.stderr).toMatch(
    /^sparring: reading sparring\.config\.yaml:4:5: there is no fault "duplicat".*duplicate/m,
  )
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/^fail reading sparring\.config\.yaml:4:5: there is no fault/m)
})

test(
  'logs fault hits, an unreachable subject and failed rules, and prints a summary at the end',
  { timeout: 30_000 },
  async () => {
    // The subject starts first: a failed manifest request is retried only much later.
    const { promise: there, resolve: arrive } = Promise.withResolvers<SoftwareService>()
    const serving = await serve(async (request) => (await there).fetch(request), 0)
    const url = `http://127.0.0.1:${serving.port}`
    const args = ['--as', 'software-service', '--subject', url, '--channel', 'webhook']
    const up = startHere(
      words`up --port 0 ${args} --fault duplicate-late:event=CONFIRMED,when=later-events,k=1`,
    )
    try {
      const first = (await up.until((text) => text.includes('\n'))).split('\n')[0] ?? ''
      const place = (role: string): string => new RegExp(`${role} (\\S+)`).exec(first)?.[1] ?? ''
      const service = createSoftwareService({
        partner: place('ordering-application'),
        platform: place('delivery-platform'),
        base: url,
        channel: 'webhook',
        clock: machineClock,
        defects: ['forgets-event-ids'],
        pace: { thinkMs: 30 },
      })
      service.start()
      arrive(service)
      const control = place('control')
      const created = await fetch(`${control}/orders`, {
        method: 'POST',
        body: JSON.stringify({ type: 'DELIVERY' }),
      })
      expect(created.status).toBe(201)
      const text = await up.until((all) => all.includes('SE-1 failed'))
      expect(text).toMatch(
        /fault\.added {2}fault 1 is active: duplicate-late:event=CONFIRMED,when=later-events,k=1$/m,
      )
      expect(text).toMatch(/fault\.fired {2}duplicate-late on ev\(o1,CONFIRMED,webhook\)/m)
      expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}verdict {3}SE-1 failed: .*\(.*#\d+.*\)$/m)

      // The subject no longer answers: logged once for all attempts.
      await service.stop()
      await serving.close()
      for (let order = 0; order < 3; order++)
        await fetch(`${control}/orders`, { method: 'POST', body: '{"type":"TAKEOUT"}' })
      const dead = await up.until((all) => all.includes('calls to your service without an answer'))
      // A kept-alive connection is reset; a new one is refused.
      expect(dead).toMatch(
        new RegExp(
          `ECONNREFUSED .*nothing listens at ${url}: start your service|ECONNRESET .*closed the connection`,
        ),
      )
      up.kill('SIGINT')
      const { code, stdout, stderr } = await up.ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.match(/calls to your service without an answer/g)).toHaveLength(1)
      expect(stdout.match(/verdict {3}SE-1 failed/g)).toHaveLength(1)
      const [, summary = ''] = stdout.split(/^verdicts {2}/m)
      expect(summary).toMatch(/^\d+ passed, \d+ failed, \d+ not exercised/)
      expect(summary).toMatch(/^failed {4}.*\n {10}SE-1 failed: /m)
    } finally {
      up.kill('SIGTERM')
      await serving.close().catch(() => undefined)
    }
  },
)
