print("aacorn")
