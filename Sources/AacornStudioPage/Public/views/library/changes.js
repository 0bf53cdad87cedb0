import { announce, toast } from '../../dom.js'
import { request } from '../recordings.js'

/**
 * The operations on the files of the library. They update `view`: `replace(name, entry)` replaces an entry, or
 * removes it if `entry` is null, before the server's new list arrives, and `reload()` requests that list.
 */
export class Changes {
  #studio
  #view
  /** The messages with an Undo button, by the IDs of deleted files. */
  #offers = new Map()

  constructor(studio, view) {
    this.#studio = studio
    this.#view = view
  }

  /** Renames a recording; throws an error with a message if that fails. */
  async rename(recording, to) {
    const { name } = await this.#post('recordings', recording.name, 'rename', { to })
    this.#view.replace(recording.name, { ...recording, name })
    announce(`Renamed to ${name}.`)
  }

  /** Deletes a recording; the user can undo that for a while. */
  async remove({ name }) {
    await this.#trying(async () => {
      const { id } = await this.#post('recordings', name, 'delete')
      this.#view.replace(name, null)
      this.#offers.set(id, toast(`“${name}” was deleted.`, {
        action: { label: 'Undo', run: () => this.restore({ id, name }) }
      }))
    })
  }

  async restore({ id, name }) {
    await this.#trying(async () => {
      const restored = await this.#post('deleted', id, 'restore')
      this.#endOffer(id)
      toast(restored.name === name
        ? `“${name}” was restored.`
        : `“${name}” was restored as “${restored.name}”, because the name is in use.`)
      this.#view.reload()
    })
  }

  async erase({ id, name }) {
    await this.#trying(async () => {
      await this.#post('deleted', id, 'erase')
      this.#endOffer(id)
      toast(`“${name}” was erased.`)
      this.#view.reload()
    })
  }

  /** Creates a repaired file beside a damaged one. */
  async repair(recording) {
    await this.#trying(async () => {
      const { name } = await this.#post('recordings', recording.name, 'repair')
      toast(`The repaired file is “${name}”.`, {
        kind: 'success', action: { label: 'Play', run: () => this.#view.play(name) }
      })
      this.#view.reload()
    })
  }

  /** Makes the studio examine a file in quarantine again. */
  async retry(recording) {
    await this.#trying(async () => {
      await this.#post('recordings', recording.name, 'retry')
      this.#view.reload()
    })
  }

  #endOffer(id) {
    this.#offers.get(id)?.close()
    this.#offers.delete(id)
  }

  async #trying(act) {
    try {
      await act()
    } catch (error) {
      toast(error.message, { kind: 'error' })
    }
  }

  #post(collection, id, action, fields) {
    return request(this.#studio, collection, id, action, fields)
  }
}
