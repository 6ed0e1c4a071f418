print("surefoot")
