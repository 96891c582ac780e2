"""Public programs that are run without tf_upgrade_v2: `run_public.py FOLDER --later`."""

# Rows as in `public_programs.py`.
PROGRAMS = [
    ("HCNA-AI+HCNA-AI/6tf_read.py", "text|tf_read.csv|1.0,2.0,3.0,4.0|40", []),
    (
        "bruceSz+building-ml-project-with-tensorflow/code/chapter1/iris_load.py",
        "text|data/iris.csv|1.0,2.0,3.0,4.0,a|40",
        [],
    ),
    (
        "bruceSz+building-ml-project-with-tensorflow/code/chapter1/load_jay.py",
        "pictures|data/blue_jay.jpeg",
        [],
    ),
    (
        "carpedm20+BEGAN-tensorflow/main.py",
        "pictures|data/CelebA/splits/train/{}.jpg|40|178x218",
        ["--batch_size", "4"],
    ),
    (
        "chiphuyen+stanford-tensorflow-tutorials/2017/examples/05_csv_reader.py",
        "text|data/heart.csv|160,12,5.73,23.11,Present,49,25.3,97.2,52,1|40",
        [],
    ),
    (
        "chiphuyen+stanford-tensorflow-tutorials/2017/examples/07_basic_filters.py",
        "pictures|data/friday.jpg",
        [],
    ),
    ("chiphuyen+stanford-tensorflow-tutorials/2017/examples/09_queue_example.py", "", []),
    (
        "chiphuyen+stanford-tensorflow-tutorials/2017/examples/09_tfrecord_example.py",
        "pictures|data/friday.jpg",
        [],
    ),
    (
        "daoos+tensorflow_learn/google_examples/how_tos/reading_data/fully_connected_preloaded.py",
        "idx|/tmp/data",
        [],
    ),
    (
        "daoos+tensorflow_learn/google_examples/how_tos/reading_data/fully_connected_reader.py",
        "tfrecords|d/train.tfrecords|image_raw=b784,label=i",
        ["--train_dir", "d", "--batch_size", "10"],
    ),
    ("daoos+tensorflow_learn/tensorflow-101/GAN/AC-GAN/train.py", "idx|asset/data/mnist", []),
    ("daoos+tensorflow_learn/tensorflow-101/GAN/Info-GAN/train.py", "idx|asset/data/mnist", []),
    (
        "daoos+tensorflow_learn/tensorflow-101/chinese_hand_write_rec/src/chinese_rec.py",
        "pictures|../data/train/00000/{}.png|20|64x64xL pictures|../data/test/00000/{}.png|20|64x64xL",
        ["--mode", "train"],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-101/zhihu_code/src/train.py",
        "pictures|../data/train_data/{}_12345678.png|20|28x280 pictures|../data/test_data/{}_12345678.png|200|28x280",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/0.12.0/Chapter07/3. 队列操作.ipynb",
        "",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/0.12.0/Chapter07/5. 输入文件队列.ipynb",
        "empty|Records",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/0.12.0/Chapter07/6. 输入数据处理框架.ipynb",
        "tfrecords|Records/output.tfrecords|image_raw=b784,pixels=i784,label=i",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/0.12.0/Chapter10/2. 多GPU并行.py",
        "tfrecords|output.tfrecords|image_raw=b784,pixels=i784,label=i tfrecords|../../datasets/output.tfrecords|image_raw=b784,pixels=i784,label=i idx|../../datasets/MNIST_data",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/1.0.0/Chapter08/2. PTB数据集介绍.ipynb",
        "treebank|../../datasets/PTB_data",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/tensorflow1_1/Chapter07/1.TFRecord样例程序.py",
        "empty|Records idx|../../datasets/MNIST_data",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/tensorflow1_1/Chapter07/3.队列操作.py",
        "",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/tensorflow1_1/Chapter07/4.多线程队列操作.py",
        "",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/tensorflow1_1/Chapter07/5.输入文件队列.py",
        "empty|Records",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/tensorflow1_1/Chapter07/6.输入数据处理框架.py",
        "tfrecords|Records/output.tfrecords|image_raw=b784,pixels=i784,label=i",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/tensorflow1_1/Chapter08/2.PTB数据集介绍.py",
        "treebank|../../datasets/PTB_data",
        [],
    ),
    (
        "daoos+tensorflow_learn/tensorflow-tutorial/Deep_Learning_with_TensorFlow/tensorflow1_1/Chapter08/3.使用神经网络实现语言模型.py",
        "treebank|../../datasets/PTB_data",
        [],
    ),
    (
        "hzy46+Deep-Learning-21-Examples/chapter_11/train.py",
        "tfrecords|data/tfrecords/apple.tfrecords|image/file_name=sx,image/encoded_image=j256x256|40 tfrecords|data/tfrecords/orange.tfrecords|image/file_name=sx,image/encoded_image=j256x256|40",
        [],
    ),
    ("hzy46+Deep-Learning-21-Examples/chapter_15/test_input_array.py", "", []),
    (
        "hzy46+Deep-Learning-21-Examples/chapter_15/test_input_csv.py",
        "text|data/period_trend.csv|1,2.0|200",
        [],
    ),
    ("hzy46+Deep-Learning-21-Examples/chapter_2/cifar10_extract.py", "cifar|cifar10_data", []),
    ("hzy46+Deep-Learning-21-Examples/chapter_2/cifar10_input_test.py", "", []),
    (
        "hzy46+Deep-Learning-21-Examples/chapter_2/cifar10_multi_gpu_train.py",
        "cifar|/tmp/cifar10_data",
        ["--batch_size", "8"],
    ),
    (
        "hzy46+Deep-Learning-21-Examples/chapter_2/test.py",
        "empty|read pictures|A.jpg|1 pictures|B.jpg|1 pictures|C.jpg|1",
        [],
    ),
    (
        "hzy46+Deep-Learning-21-Examples/chapter_9/pix2pix.py",
        "pictures|d/{}.jpg|3|256x512",
        ["--mode", "train", "--output_dir", "o", "--input_dir", "d", "--max_epochs", "1"],
    ),
    ("jenkspt+tf-cpu-eval-template/queue_test.py", "idx|data", []),
    ("le773+TensorflowDebug/03word2vec/FIFOQueue.ipynb", "", []),
    (
        "le773+TensorflowDebug/06RNN/05_csv_reader.ipynb",
        "text|../data/heart.csv|160,12,5.73,23.11,Present,49,25.3,97.2,52,1|40",
        [],
    ),
    ("le773+TensorflowDebug/06RNN/09_queue_example.ipynb", "", []),
    (
        "le773+TensorflowDebug/TfInAction/Chapter07/C07W01L02_rTFRcord.ipynb",
        "tfrecords|../../../datasets/Records/output.tfrecords|image_raw=b784,pixels=i784,label=i",
        [],
    ),
    ("le773+TensorflowDebug/TfInAction/Chapter07/C07W03L01_FIFOQueue.ipynb", "", []),
    ("le773+TensorflowDebug/TfInAction/Chapter07/C07W03L01_QueueRunner.ipynb", "", []),
    (
        "le773+TensorflowDebug/TfInAction/Chapter07/C07W03L02_WriteFileQueue.ipynb",
        "tfrecords|data.tfrecords-0000{}-of-00002|i=i,j=i|4|2",
        [],
    ),
    (
        "le773+TensorflowDebug/TfInAction/Chapter07/C07W03L04_inputFramework.ipynb",
        "tfrecords|data/data.tfrecords-0000{}-of-00002|image=b784,image_raw=b784,pixels=i784,label=i,height=i28,width=i28,channels=i1|4|2",
        [],
    ),
    (
        "tkuanlun350+Tensorflow-SegNet/main.py",
        "pictures|i/{}.png|10|360x480 pictures|l/{}.png|10|360x480xL pairs|train.txt|i/{}.png|l/{}.png|10",
        [
            "--image_dir",
            "train.txt",
            "--val_dir",
            "train.txt",
            "--batch_size",
            "2",
            "--log_dir",
            "logs",
        ],
    ),
    (
        "tobegit3hub+tensorflow_template_application/dense_classifier_use_queue.py",
        "tfrecords|data/cancer/cancer_train.csv.tfrecords|label=f,features=f*9|10 tfrecords|data/cancer/cancer_test.csv.tfrecords|label=f,features=f*9|10",
        [],
    ),
    (
        "vanhuyz+CycleGAN-TensorFlow/train.py",
        "tfrecords|data/tfrecords/apple.tfrecords|image/file_name=sx,image/encoded_image=j256x256|40 tfrecords|data/tfrecords/orange.tfrecords|image/file_name=sx,image/encoded_image=j256x256|40",
        ["--ngf", "8"],
    ),
]
