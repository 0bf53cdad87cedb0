// No declarations: a program contains this module for its settings of Swift Testing.
