/** `sparring demo`: a partner and a small service side by side; with `--defect` the service makes a mistake. */
import { demoFlags, demoGroups } from '../demo/demo-flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

export const demoVerb = defineVerb({
  name: 'demo',
  summary: 'start a partner and a small service side by side; --defect makes the service fail',
  flags: demoFlags,
  groups: demoGroups,
  details: `
Examples:
  sparring demo                                          watch a correct service
  sparring demo --speed 20 --defect forgets-event-ids --orders 1 --record bug.rec.ndjson
  sparring minimise bug.rec.ndjson --start 'sparring demo --service --speed 20 --defect forgets-event-ids'

A defect adds the fault that exposes it, unless --fault names another. The service is a reference implementation of the
protocol; it shares no code with Sparring.

Exits with 0; with --orders, 1 when a rule failed.`,
  async run(options, io) {
    if (options.service) {
      const { runDemoService } = await import('../demo/run-demo-service.ts')
      return runDemoService(options, io)
    }
    const { runDemo } = await import('../demo/run-demo.ts')
    return runDemo(options, io)
  },
})
