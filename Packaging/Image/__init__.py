"""The parts of Packaging/build-image."""
