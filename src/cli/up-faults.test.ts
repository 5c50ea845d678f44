/** `up` with faults, as a user starts it: what is wrong ends it before anything listens, and what happens is told. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machineClock } from '../demo/clock.ts'
import { serve } from '../demo/serve.ts'
import { createSoftwareService, type SoftwareService } from '../demo/software-service.ts'
import { emptyFolder, sparring, startSparring } from '../../test/support/spawn-sparring.ts'

test('a fault that cannot be ends it with 2 and the sentence, wherever it was written', async () => {
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'sparring.config.yaml'),
    'port: 0\nfaults:\n  - { drop: { event: CONFIRMED } }\n  - { duplicat: { event: CONFIRMED } }\n',
  )
  const [flag, environment, file, doctor] = await Promise.all([
    sparring(['up', '--port', '0', '--fault', 'drop:event=CONFIRMED', '--fault', 'drop:nth=first']),
    sparring(['up', '--port', '0'], { env: { SPARRING_FAULT: 'drop; dropp:event=CONFIRMED' } }),
    sparring(['up'], { cwd }),
    sparring(['doctor'], { cwd }),
  ])
  for (const each of [flag, environment, file]) expect([each.code, each.stdout]).toEqual([2, ''])
  expect(flag.stderr).toMatch(/^sparring: reading --fault: .*nth.* See sparring list faults\.$/m)
  expect(environment.stderr).toMatch(/^sparring: reading --fault: there is no fault "dropp"/m)
  expect(file.stderr).toMatch(
    /^sparring: reading sparring\.config\.yaml:4:5: there is no fault "duplicat".*duplicate/m,
  )
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/^not {2}reading sparring\.config\.yaml:4:5: there is no fault/m)
})

test(
  'faults that fire, a service that is dead, what breaks, and the sum of it in the end',
  { timeout: 30_000 },
  async () => {
    // Whoever asks before it is there waits: a manifest that cannot be read is read again much later.
    const { promise: there, resolve: arrive } = Promise.withResolvers<SoftwareService>()
    const serving = await serve(async (request) => (await there).fetch(request), 0)
    const url = `http://127.0.0.1:${serving.port}`
    const args = ['--as', 'software-service', '--subject', url, '--channel', 'webhook']
    const up = startSparring([
      'up',
      '--port',
      '0',
      ...args,
      '--fault',
      // Behind another event: two that come within one reading of the order are one to it.
      'duplicate-late:event=CONFIRMED,when=past,k=1',
    ])
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
      const text = await up.until((all) => all.includes('SE-1 is broken'))
      expect(text).toMatch(
        /fault\.added {2}fault 1 is in force: duplicate-late:event=CONFIRMED,when=past,k=1$/m,
      )
      expect(text).toMatch(/fault\.fired {2}duplicate-late on ev\(o1,CONFIRMED,webhook\)/m)
      expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}verdict {3}SE-1 is broken: .*\(.*#\d+.*\)$/m)

      // Nobody answers any more: that is said once, however often it is tried.
      await service.stop()
      await serving.close()
      for (let order = 0; order < 3; order++)
        await fetch(`${control}/orders`, { method: 'POST', body: '{"type":"TAKEOUT"}' })
      const dead = await up.until((all) => all.includes('your service does not answer'))
      // A connection that was kept from before is reset; a new one is refused.
      expect(dead).toMatch(
        new RegExp(`your service does not answer at ${url} \\((ECONNREFUSED|ECONNRESET)\\)`),
      )
      up.kill('SIGINT')
      const { code, stdout, stderr } = await up.ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.match(/your service does not answer/g)).toHaveLength(1)
      expect(stdout.match(/verdict {3}SE-1 is broken/g)).toHaveLength(1)
      const [, summary = ''] = stdout.split(/^verdicts {2}/m)
      expect(summary).toMatch(/^\d+ held, \d+ broken, \d+ untested/)
      expect(summary).toMatch(/^broken {4}.*\n {10}SE-1 is broken: /m)
    } finally {
      up.kill('SIGKILL')
      await serving.close().catch(() => undefined)
    }
  },
)
