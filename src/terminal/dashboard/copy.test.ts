/** Copying with y, on a fake session. */
import { describe, expect, test } from 'vitest'
import { ok } from '../../core/protocol/result.ts'
import { driveDashboard, driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import { openPlayer, recordingContentOf } from '../../../test/support/dashboard/recording.ts'
import { timelineOfContent } from '../../replay/playback/player/timeline.ts'

function clipboard() {
  const copied: string[] = []
  return {
    copied,
    ports: {
      copyText: (text: string) => {
        copied.push(text)
        return ok(undefined)
      },
    },
  }
}

describe('y', () => {
  test.each([
    [80, 24],
    [120, 40],
  ])('asks what to copy of an exchange, and copies it, at %ix%i', async (columns, rows) => {
    const { copied, ports } = clipboard()
    const screen = await driveDashboard({ columns, rows, ports })
    await screen.press('N', 'd')
    screen.session.pass(1300)
    await screen.refresh()
    await screen.press('2', 'y')
    expect(screen.lines().slice(-2).join('')).toMatch(
      /Copy: +u URL +b body +r reply +c curl +i order id/,
    )
    await screen.press('u')
    expect(copied.at(-1)).toMatch(/^http:\/\//)
    expect(screen.text()).toMatch(/copied: URL, \d+ characters/)
    await screen.press('enter', 'y', 'c')
    expect(copied.at(-1)).toMatch(
      /^curl --globoff .*--request 'POST'[^]*--data-raw '\{[^]*CONFIRMED/,
    )
    expect(screen.text()).toContain('copied: curl, with its token')
    await screen.press('y', 'b')
    expect(JSON.parse(copied.at(-1) ?? '')).toMatchObject({ eventType: 'CONFIRMED' })
    await screen.press('y', 'z')
    expect(screen.text()).toContain('z: no answer to this')
    await screen.press('d')
    expect(screen.text()).toContain('d: not one of these')
    await screen.press('esc', 'y', 'i')
    expect(copied.at(-1)).toBe(screen.model().orderId)
  })

  test('copies the document of an order, a fact, a fault and the last message', async () => {
    const { copied, ports } = clipboard()
    const screen = await driveDashboard({ ports })
    await screen.press('N', 't', '3', 'y', 'd')
    expect(JSON.parse(copied.at(-1) ?? '')).toMatchObject({ displayId: '1001' })
    await screen.press('X', 'y', 'm')
    expect(copied.at(-1)).toBe('X: no such key here; ? lists them')
    await screen.press('1', 'y', 'f')
    expect(copied.at(-1)).toContain('planned')
    await screen.press('f', 'y', 't')
    expect(copied.at(-1)).toMatch(/^Faults\n/)
  })

  test('without a body, or without a terminal, it says so', async () => {
    const { copied, ports } = clipboard()
    const screen = await driveDashboard({ ports })
    screen.session.poll(0, 'ECONNREFUSED')
    await screen.refresh()
    await screen.press('2', 'y', 'r')
    expect(screen.text()).toContain('reply is not copied: there was no reply')
    expect(copied).toEqual([])
    const plain = await driveDashboard()
    plain.session.poll()
    await plain.refresh()
    await plain.press('2', 'y', 'u')
    expect(plain.text()).toContain('nothing is copied: this is no terminal')
  })

  test('copies a recorded exchange', async () => {
    const { copied, ports } = clipboard()
    await using opened = await openPlayer(timelineOfContent(recordingContentOf(10)))
    const screen = await driveDashboardOn(opened.face, { ports })
    await screen.press('j', 'y', 'c')
    expect(copied.at(-1)).toContain('/v2/orders/order-2')
    await screen.press('enter', ']', 'y', 'u')
    expect(copied.at(-1)).toMatch(/order-3/)
  })
})
